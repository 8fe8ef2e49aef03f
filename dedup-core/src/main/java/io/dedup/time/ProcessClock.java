// SPDX-License-Identifier: Apache-2.0
package io.dedup.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of this process: a wall clock for what people read, and a monotonic one for what the
 * process waits for.
 *
 * <p>Whether a lease is over is decided by the store's clock alone, never by this one. Thread-safe.
 */
public interface ProcessClock {

  /** Returns the wall clock's time. It may step in either direction. */
  Instant now();

  /**
   * Returns nanoseconds since an arbitrary moment; only differences mean something, and they never
   * shrink.
   */
  long nanoTime();

  /**
   * Lets time pass.
   *
   * @param duration how long; 0 or less returns at once
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  void sleep(Duration duration) throws InterruptedException;

  /** Returns the JVM's clocks. */
  static ProcessClock system() {
    return SystemClock.INSTANCE;
  }
}
