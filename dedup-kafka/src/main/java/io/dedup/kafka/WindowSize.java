// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;

/**
 * How many records are claimed ahead of their handler: as many as it handles in a third of a lease,
 * so that a slow handler holds few claims and a fast one pays few exchanges. Confined to a thread.
 */
public final class WindowSize {

  private static final int FIRST = 50;

  private final long thirdNanos;
  private final int max;
  private long usualNanos;

  /**
   * Begins without knowing how long the handler takes.
   *
   * @param lease of each claim; positive
   * @param max the largest window; at least 1
   */
  public WindowSize(Duration lease, int max) {
    this.thirdNanos = lease.toNanos() / 3;
    this.max = max;
  }

  /** The handler took this long for a record, in nanoseconds. A recent time counts an eighth. */
  public void took(long nanos) {
    usualNanos = usualNanos == 0 ? Math.max(1, nanos) : Math.max(1, (usualNanos * 7 + nanos) / 8);
  }

  /** Returns how many records to claim now; at least 1. */
  public int records() {
    if (usualNanos == 0) {
      return Math.min(FIRST, max);
    }
    return (int) Math.max(1, Math.min(max, thirdNanos / usualNanos));
  }
}
