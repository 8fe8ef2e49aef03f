// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.HexFormat;

/**
 * The name of a key in Redis.
 *
 * @param bytes the name
 * @param bucket the bucket that its hash tag stands for
 */
record KeyName(byte[] bytes, int bucket) {

  String hex() {
    return HexFormat.of().formatHex(bytes);
  }
}
