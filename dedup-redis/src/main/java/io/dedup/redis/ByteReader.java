// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimId;
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
    return time(number());
  }

  static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  Duration duration() {
    return Duration.of(number(), ChronoUnit.MICROS);
  }

  long u32() {
    return bigEndian(Integer.BYTES);
  }

  long u48() {
    return bigEndian(6);
  }

  /** Reads what {@link ByteWriter#claimId} wrote. */
  ClaimId claimId() {
    int width = u8();
    if (width > Long.BYTES) {
      throw new StoreCorrupt(
          "reply of Redis: the sequence of a claim had " + width + " bytes, must be at most 8");
    }
    long process = i64();
    return new ClaimId(process, bigEndian(width));
  }

  /** Reads what {@link ByteWriter#origin} wrote. */
  Origin origin() {
    int length = u8();
    if (length == 0) {
      return Origin.none();
    }
    ByteReader rest = new ByteReader(raw(length));
    int mask = rest.u16();
    long source = rest.spread(mask >> Long.BYTES);
    return rest.last(new Origin(source, rest.spread(mask)));
  }

  /** Reads a number of which only the bytes are there that a bit of the mask's last eight has. */
  private long spread(int mask) {
    long value = 0;
    for (int bit = Long.BYTES - 1; bit >= 0; bit--) {
      value = value << Byte.SIZE | ((mask >> bit & 1) == 0 ? 0 : u8());
    }
    return value;
  }

  byte[] raw(int length) {
    check(length);
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

  private void check(int length) {
    if (bytes.length - at < length) {
      throw new StoreCorrupt(
          "reply of Redis: ended after " + (bytes.length - at) + " bytes of " + length);
    }
  }

  private long bigEndian(int width) {
    check(width);
    long value = 0;
    for (int end = at + width; at < end; at++) {
      value = value << 8 | (bytes[at] & 0xff);
    }
    return value;
  }
}
