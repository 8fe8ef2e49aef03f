// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.nio.charset.StandardCharsets;

/**
 * The {@value #COUNT} hash tags that the names of our keys carry.
 *
 * <p>All keys of a bucket live in one slot of a Redis Cluster, so a script can have them all. Each
 * bucket has another 128th of the slots, so that masters with equally many slots have equally many
 * buckets (but for one). The tags are part of the stored format and never change.
 */
final class Buckets {

  static final int COUNT = 128;

  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[][] TAGS = tags();

  private Buckets() {}

  /** Returns the bucket of a key in its stored form. */
  static int of(byte[] encodedKey) {
    return Crc16.of(encodedKey) % COUNT;
  }

  /** Returns the two letters between the braces. */
  static byte[] tag(int bucket) {
    return TAGS[bucket].clone();
  }

  /** For each bucket, the first two letters whose slot is in its share. */
  private static byte[][] tags() {
    byte[][] tags = new byte[COUNT][];
    for (byte first : LETTERS) {
      for (byte second : LETTERS) {
        byte[] tag = {first, second};
        int bucket = Crc16.of(tag) % Crc16.SLOTS / (Crc16.SLOTS / COUNT);
        if (tags[bucket] == null) {
          tags[bucket] = tag;
        }
      }
    }
    return tags;
  }
}
