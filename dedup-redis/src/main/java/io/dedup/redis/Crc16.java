// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

/**
 * The checksum by which a Redis Cluster assigns keys to its 16384 slots (XMODEM: polynomial 0x1021,
 * start 0).
 */
final class Crc16 {

  static final int SLOTS = 1 << 14;

  private static final int POLYNOMIAL = 0x1021;

  private Crc16() {}

  static int of(byte[] bytes) {
    int crc = 0;
    for (byte b : bytes) {
      crc ^= (b & 0xff) << 8;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
      }
      crc &= 0xffff;
    }
    return crc;
  }
}
