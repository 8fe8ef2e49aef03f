// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs a handler, and tells how that went. Thread-safe. */
final class Runner {

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
    Delivery delivery = call.delivery();
    IdempotencyKey key = delivery.key();
    listeners.tell(
        new DedupEvent.Claimed(
            key, context.fencingToken(), context.attempt(), context.takenOver()));
    long started = clock.nanoTime();
    T value;
    try (LoggedRun logged = LoggedRun.of(context)) {
      value = call.handler().handle(context);
    } catch (Throwable e) {
      ended(delivery, started, e);
      throw e;
    }
    ended(delivery, started, null);
    return value;
  }

  private void ended(Delivery delivery, long started, @Nullable Throwable failure) {
    Duration elapsed = Duration.ofNanos(clock.nanoTime() - started);
    listeners.tell(new DedupEvent.HandlerEnded(delivery.key(), elapsed, failure, delivery.label()));
  }
}
