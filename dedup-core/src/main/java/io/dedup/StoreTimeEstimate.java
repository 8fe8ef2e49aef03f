// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.time.ProcessClock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What time it is at the store, as far as this process can tell: the last time it answered with,
 * and what has passed on the process's own monotonic clock since the answer came. Never later than
 * the store's time. Thread-safe.
 */
final class StoreTimeEstimate {

  private final ProcessClock clock;
  private volatile @Nullable Seen seen;

  StoreTimeEstimate(ProcessClock clock) {
    this.clock = clock;
  }

  void answered(Instant storeTime) {
    seen = new Seen(storeTime, clock.nanoTime());
  }

  boolean isKnown() {
    return seen != null;
  }

  /** Returns the estimate, null before the first answer. */
  @Nullable Instant now() {
    Seen last = seen;
    return last == null ? null : last.storeTime.plusNanos(clock.nanoTime() - last.atNanos);
  }

  private record Seen(Instant storeTime, long atNanos) {}
}
