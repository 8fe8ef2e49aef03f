// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A store's time that stands still until a test moves it: forward only, in whole microseconds.
 * Thread-safe.
 *
 * <p>It begins in the past, where a store that looks at a clock of its own finds every lease over.
 */
public final class ManualTime implements StoreTime {

  /**
   * Where the time begins: every digit counts, so that one lost on the way to the store or back
   * shows.
   */
  private static final Instant BEGINNING = Instant.parse("2021-05-17T09:41:23.456789Z");

  private volatile Instant now;

  private ManualTime(Instant start) {
    this.now = start;
  }

  /** Returns a time that stands at the same moment in every test. */
  public static ManualTime atBeginning() {
    return new ManualTime(BEGINNING);
  }

  /**
   * Returns a time that stands at {@code start}.
   *
   * @throws IllegalArgumentException if it is finer than a microsecond
   */
  public static ManualTime startingAt(Instant start) {
    checkMicros("start", start);
    return new ManualTime(start);
  }

  @Override
  public Instant now() {
    return now;
  }

  /**
   * Moves the time forward.
   *
   * @param step 0 or more, in whole microseconds
   * @throws IllegalArgumentException if it is negative or finer
   */
  public synchronized void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("step: was " + step + ", must not be negative");
    }
    checkMicros("step", Instant.EPOCH.plus(step));
    now = now.plus(step);
  }

  /**
   * Moves the time forward to {@code moment}.
   *
   * @throws IllegalArgumentException if that is in the past, or finer than a microsecond
   */
  public synchronized void advanceTo(Instant moment) {
    checkMicros("moment", moment);
    if (moment.isBefore(now)) {
      throw new IllegalArgumentException("moment: was " + moment + ", must not be before " + now);
    }
    now = moment;
  }

  private static void checkMicros(String name, Instant value) {
    if (!value.equals(value.truncatedTo(ChronoUnit.MICROS))) {
      throw new IllegalArgumentException(
          name + ": is finer than a microsecond, must be whole ones");
    }
  }
}
