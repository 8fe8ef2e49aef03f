// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;

/**
 * How often, and after which pauses, a failing record is tried again. Its partition waits
 * meanwhile, and no other.
 *
 * @param first the pause after the first failure; not negative
 * @param longest the longest pause; each is twice the one before it until then. Not below the first
 * @param retries how many times a record is tried again before it becomes a dead letter; not
 *     negative
 */
public record BackOff(Duration first, Duration longest, int retries) {

  /** Checks the parts. */
  public BackOff {
    if (first.isNegative()) {
      throw new IllegalArgumentException("first: was " + first + ", must not be negative");
    }
    if (longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "longest: was " + longest + ", must not be below the first pause, " + first);
    }
    if (retries < 0) {
      throw new IllegalArgumentException("retries: was " + retries + ", must not be negative");
    }
  }

  /** Returns the default: 9 retries with pauses from 1 s to 10 s. */
  public static BackOff defaults() {
    return new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(10), 9);
  }

  /** Returns the pauses for trouble that ends by itself: from 100 ms to 5 s, without end. */
  static BackOff untilBetter() {
    return new BackOff(Duration.ofMillis(100), Duration.ofSeconds(5), Integer.MAX_VALUE);
  }

  /** Returns the pause after a number of failures in a row, from 1. */
  Duration after(int failures) {
    Duration pause = first;
    for (int i = 1; i < failures && pause.compareTo(longest) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
