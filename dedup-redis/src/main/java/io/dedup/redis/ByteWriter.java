// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs a request for a script: unsigned, big-endian, as the scripts' own {@code struct.unpack}
 * reads it.
 */
final class ByteWriter {

  /** Lua's numbers are doubles: the first integer that may not be exact is this one plus one. */
  static final long NUMBER_MAX = (1L << 53) - 1;

  private static final int NANOS_PER_MICRO = 1_000;
  private static final Instant TIME_MAX = Instant.EPOCH.plus(NUMBER_MAX, ChronoUnit.MICROS);

  private byte[] bytes;
  private int size;

  ByteWriter(char verb) {
    bytes = new byte[128];
    u8(verb);
  }

  ByteWriter u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  ByteWriter u16(int value) {
    return bigEndian(value, Short.BYTES);
  }

  ByteWriter u32(long value) {
    return bigEndian(value, Integer.BYTES);
  }

  ByteWriter i64(long value) {
    return bigEndian(value, Long.BYTES);
  }

  /**
   * Writes a number in seven bytes.
   *
   * @throws IllegalArgumentException if it is negative or not exact as a double
   */
  ByteWriter number(String name, long value) {
    if (value < 0 || value > NUMBER_MAX) {
      throw new IllegalArgumentException(
          name + ": was " + value + ", must be 0 to " + NUMBER_MAX + " for a store on Redis");
    }
    return bigEndian(value, 7);
  }

  /** Writes microseconds, rounded up: a duration is never shorter than it was asked for. */
  ByteWriter duration(String name, Duration value) {
    long nanos = value.toNanos();
    return number(name, (nanos + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
  }

  /**
   * Writes microseconds since 1970, cut.
   *
   * @throws IllegalArgumentException if the time is before 1970 or some 285 years after
   */
  ByteWriter time(String name, Instant value) {
    if (value.isBefore(Instant.EPOCH) || value.isAfter(TIME_MAX)) {
      throw new IllegalArgumentException(
          name + ": was " + value + ", must be within 1970 and " + TIME_MAX);
    }
    return number(name, ChronoUnit.MICROS.between(Instant.EPOCH, value));
  }

  /**
   * Writes a limit: 0 for none; times that no clock reads are brought to the nearest one that it
   * may.
   */
  ByteWriter limit(@Nullable Instant value) {
    if (value == null) {
      return number("limit", 0);
    }
    Instant first = Instant.EPOCH.plus(1, ChronoUnit.MICROS);
    Instant within = value.isBefore(first) ? first : value;
    return time("limit", within.isAfter(TIME_MAX) ? TIME_MAX : within);
  }

  /**
   * Writes a token to compare with a record's. One that no record can have becomes one that no
   * record has.
   */
  ByteWriter tokenToCompare(long token) {
    boolean possible = token >= 0 && token <= NUMBER_MAX;
    return bigEndian(possible ? token : -1, 7);
  }

  ByteWriter raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  ByteWriter text(String value) {
    return raw(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a text of less than 64 KB with its length before it. */
  ByteWriter sized(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    return u16(text.length).raw(text);
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private ByteWriter bigEndian(long value, int width) {
    room(width);
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}
