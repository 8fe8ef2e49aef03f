// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.Origin;
import io.dedup.claim.StoreCorrupt;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * Reads what a script packed. Whatever is missing, left over or out of range is {@link
 * StoreCorrupt}.
 */
final class ByteReader {

  private final byte[] bytes;
  private int at;

  ByteReader(byte[] bytes) {
    this.bytes = bytes;
  }

  int u8() {
    return (int) bigEndian(1);
  }

  int u16() {
    return (int) bigEndian(Short.BYTES);
  }

  int i32() {
    return (int) bigEndian(Integer.BYTES);
  }

  long i64() {
    return bigEndian(Long.BYTES);
  }

  long number() {
    return bigEndian(7);
  }

  boolean flag() {
    int value = u8();
    if (value > 1) {
      throw new StoreCorrupt("reply of Redis: a flag was " + value + ", must be 0 or 1");
    }
    return value == 1;
  }

  Instant time() {
    return Instant.EPOCH.plus(number(), ChronoUnit.MICROS);
  }

  Duration duration() {
    return Duration.of(number(), ChronoUnit.MICROS);
  }

  Origin origin() {
    return Origin.of(raw(Origin.BYTES));
  }

  byte[] raw(int length) {
    if (bytes.length - at < length) {
      throw new StoreCorrupt(
          "reply of Redis: ended after " + (bytes.length - at) + " bytes of " + length);
    }
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  String text(int length) {
    return new String(raw(length), StandardCharsets.UTF_8);
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  byte[] rest() {
    return raw(bytes.length - at);
  }

  String restAsText() {
    return text(bytes.length - at);
  }

  /** Returns {@code value} if there is nothing after it. */
  <T> T last(T value) {
    if (at != bytes.length) {
      throw new StoreCorrupt("reply of Redis: " + (bytes.length - at) + " bytes too many");
    }
    return value;
  }

  private long bigEndian(int width) {
    long value = 0;
    for (byte b : raw(width)) {
      value = value << 8 | (b & 0xff);
    }
    return value;
  }
}
