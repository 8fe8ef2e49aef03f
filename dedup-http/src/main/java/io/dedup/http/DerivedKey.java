// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Makes keys for what a handler sends: the same each time the handler runs for its own key, and
 * none from which that one could be found out.
 */
final class DerivedKey {

  private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();

  private DerivedKey() {}

  /**
   * Returns the key of a call: 52 characters.
   *
   * @param key the handler's own
   * @param callName tells its calls apart, whatever order they come in
   * @param index tells apart calls of one name, such as the elements of a list
   */
  static String of(IdempotencyKey key, String callName, int index) {
    return base32(
        RequestKey.digest(List.of(key.scope(), key.id(), callName, Integer.toString(index))));
  }

  static byte[] utf8(IdempotencyKey key, String callName, int index) {
    return of(key, callName, index).getBytes(StandardCharsets.UTF_8);
  }

  /** RFC 4648, section 6, in lower case and without padding. */
  private static String base32(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8 | (b & 0xff)) & 0xffff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        out.append(BASE32[buffer >> bits & 31]);
      }
    }
    if (bits > 0) {
      out.append(BASE32[buffer << (5 - bits) & 31]);
    }
    return out.toString();
  }
}
