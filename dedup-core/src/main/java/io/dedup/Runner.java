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
    String outer = MDC.get(MDC_KEY);
    MDC.put(MDC_KEY, key.id());
    long started = clock.nanoTime();
    T value;
    try {
      value = call.handler().handle(context);
    } catch (Throwable e) {
      ended(key, started, e);
      throw e;
    } finally {
      putBack(outer);
    }
    ended(key, started, null);
    return value;
  }

  /** A handler may have been called from within another. */
  private static void putBack(@Nullable String outer) {
    if (outer == null) {
      MDC.remove(MDC_KEY);
    } else {
      MDC.put(MDC_KEY, outer);
    }
  }

  private void ended(IdempotencyKey key, long started, @Nullable Throwable failure) {
    Duration elapsed = Duration.ofNanos(clock.nanoTime() - started);
    listeners.tell(new DedupEvent.HandlerEnded(key, elapsed, failure));
  }
}
