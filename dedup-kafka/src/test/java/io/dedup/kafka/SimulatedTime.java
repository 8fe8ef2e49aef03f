// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreTime;
import java.time.Duration;
import java.time.Instant;

/** The time of a simulated world. It stands still unless it is advanced. */
final class SimulatedTime {

  private static final Instant BEGINNING = Instant.parse("2024-02-29T23:59:58Z");
  private static final Duration TICK = Duration.ofMillis(900);

  private final Runnable atEachTick;
  private long nanos;

  /**
   * Makes a time.
   *
   * @param atEachTick what goes on by itself while time passes
   */
  SimulatedTime(Runnable atEachTick) {
    this.atEachTick = atEachTick;
  }

  long nanos() {
    return nanos;
  }

  Instant now() {
    return BEGINNING.plusNanos(nanos);
  }

  StoreTime storeTime() {
    return this::now;
  }

  void advance(Duration step) {
    long end = nanos + step.toNanos();
    while (nanos < end) {
      nanos = Math.min(end, nanos + TICK.toNanos());
      atEachTick.run();
    }
  }
}
