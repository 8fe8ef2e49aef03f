// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A process's clock that stands still until a test moves it. */
final class HandClock implements ProcessClock {

  private static final Instant BEGINNING = Instant.parse("2021-05-17T09:41:23Z");

  private final AtomicLong nanos = new AtomicLong();

  void advance(Duration step) {
    nanos.addAndGet(step.toNanos());
  }

  @Override
  public Instant now() {
    return BEGINNING.plusNanos(nanos.get());
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public void sleep(Duration duration) {
    advance(duration);
  }
}
