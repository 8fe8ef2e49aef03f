// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times as the table keeps them: microseconds since the epoch, in BIGINT columns. A database's own
 * timestamp types would bring session time zones, hours that happen twice and a year 2038 along; a
 * number has none of them.
 */
final class Micros {

  private static final long SECONDS_MAX = Long.MAX_VALUE / 1_000_000 - 1;

  private Micros() {}

  /**
   * Returns the microseconds of a time; of one that a number cannot hold, the nearest that it can.
   */
  static long of(Instant time) {
    if (Math.abs(time.getEpochSecond()) > SECONDS_MAX) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** Rounded up, as the table of transitions does: nothing is held for less than was asked. */
  static long of(Duration duration) {
    return duration.plusNanos(999).dividedBy(ChronoUnit.MICROS.getDuration());
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
