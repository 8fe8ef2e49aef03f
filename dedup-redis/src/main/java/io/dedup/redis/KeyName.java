// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The name of a key in Redis.
 *
 * @param bytes the name
 * @param bucket the bucket that its hash tag stands for
 * @param index in the compact layout the name of the bucket's index, which its scripts need, too;
 *     else null
 */
record KeyName(byte[] bytes, int bucket, byte @Nullable [] index) {

  String hex() {
    return HexFormat.of().formatHex(bytes);
  }
}
