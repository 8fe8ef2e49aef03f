// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.util.Arrays;

/**
 * A key as the table keeps it, in the order of its bytes: the order in which every statement goes
 * through keys.
 */
record StoredKey(byte[] bytes) implements Comparable<StoredKey> {

  /**
   * Returns the stored form of {@code key}.
   *
   * @throws StoreMisconfigured if the format does not keep to its limits
   */
  static StoredKey of(KeyFormat format, IdempotencyKey key) {
    byte[] bytes = format.encode(key);
    if (bytes.length < 1 || bytes.length > KeyFormat.MAX_BYTES) {
      throw new StoreMisconfigured(
          "keyFormat: made a key of "
              + bytes.length
              + " bytes, must be 1 to "
              + KeyFormat.MAX_BYTES,
          null);
    }
    return new StoredKey(bytes);
  }

  @Override
  public int compareTo(StoredKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "StoredKey[" + bytes.length + " bytes]";
  }
}
