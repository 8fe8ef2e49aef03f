// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimId;
import io.dedup.claim.Origin;
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

  /** Writes a claim id: the length of its sequence, the process, the sequence without its zeros. */
  ByteWriter claimId(ClaimId id) {
    int width = widthOf(id.sequence());
    return u8(width).i64(id.process()).bigEndian(id.sequence(), width);
  }

  /** Writes a claim id with the length of all of it before it. */
  ByteWriter sizedClaimId(ClaimId id) {
    return u8(1 + Long.BYTES + widthOf(id.sequence())).claimId(id);
  }

  /**
   * Writes an origin: the length of the rest, a bit for each of its bytes that is not zero, those
   * bytes; nothing but the length for none. Kafka's origins have small numbers in wide fields.
   */
  ByteWriter origin(Origin origin) {
    int length = u8(0).size;
    if (!origin.equals(Origin.none())) {
      int mask = nonZero(origin.source()) << Long.BYTES | nonZero(origin.position());
      u16(mask);
      nonZeroBytes(origin.source());
      nonZeroBytes(origin.position());
    }
    bytes[length - 1] = (byte) (size - length);
    return this;
  }

  private static int widthOf(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value) + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static int nonZero(long value) {
    int mask = 0;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      mask = mask << 1 | ((value >>> shift & 0xff) == 0 ? 0 : 1);
    }
    return mask;
  }

  private void nonZeroBytes(long value) {
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      int one = (int) (value >>> shift & 0xff);
      if (one != 0) {
        u8(one);
      }
    }
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
