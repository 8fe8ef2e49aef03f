// SPDX-License-Identifier: Apache-2.0
package io.dedup.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The JVM's clocks. The only class of the library that may read them. */
enum SystemClock implements ProcessClock {
  INSTANCE;

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
  }
}
