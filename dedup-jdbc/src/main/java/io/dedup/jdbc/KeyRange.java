// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stored keys from {@code begin} up to, and without, {@code end}.
 *
 * @param end null for no end
 */
record KeyRange(byte[] begin, byte @Nullable [] end) {

  /** Returns the range of all keys that begin with {@code prefix}. */
  static KeyRange of(byte[] prefix) {
    return new KeyRange(prefix, successor(prefix));
  }

  /** Returns what of this range comes after {@code key}. */
  KeyRange after(StoredKey key) {
    // The next byte string after another is the same with a zero byte at the end.
    return new KeyRange(Arrays.copyOf(key.bytes(), key.bytes().length + 1), end);
  }

  private static byte @Nullable [] successor(byte[] prefix) {
    for (int length = prefix.length; length > 0; length--) {
      if (prefix[length - 1] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(prefix, length);
        next[length - 1]++;
        return next;
      }
    }
    return null;
  }
}
