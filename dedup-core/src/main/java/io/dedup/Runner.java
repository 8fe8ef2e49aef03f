// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs a handler, and tells how that went. Thread-safe. */
final class Runner {

  private static final String MDC_KEY = "dedup.key";

  private final ProcessClock clock;
  private final Listeners listeners;

  Runner(ProcessClock clock, Listeners listeners) {
    this.clock = clock;
    this.listeners = listeners;
  }

  /**
   * Runs the handler.
   *
   * @throws Exception what the handler threw
   */
  <T> @Nullable T run(Call<T> call, RunContext context) throws Exception {
    IdempotencyKey key = call.delivery().key();
    listeners.tell(
        new DedupEvent.Claimed(
            key, context.fencingToken(), context.attempt(), context.takenOver()));
    long started = clock.nanoTime();
    try (MDC.MDCCloseable ignored = MDC.putCloseable(MDC_KEY, key.id())) {
      T value = call.handler().handle(context);
      ended(key, started, null);
      return value;
    } catch (Throwable e) {
      ended(key, started, e);
      throw e;
    }
  }

  private void ended(IdempotencyKey key, long started, @Nullable Throwable failure) {
    Duration elapsed = Duration.ofNanos(clock.nanoTime() - started);
    listeners.tell(new DedupEvent.HandlerEnded(key, elapsed, failure));
  }
}
