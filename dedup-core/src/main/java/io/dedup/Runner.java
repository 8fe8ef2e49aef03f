// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Runs a handler, and tells how that went. What the handler logs carries two names: {@code
 * dedup.key}, the id, and {@code dedup.trace}, the claim's fencing token, which is what the store
 * and whoever takes over know this run by. Thread-safe.
 */
final class Runner {

  private static final String MDC_KEY = "dedup.key";
  private static final String MDC_TRACE = "dedup.trace";

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
    String outerKey = MDC.get(MDC_KEY);
    String outerTrace = MDC.get(MDC_TRACE);
    MDC.put(MDC_KEY, key.id());
    MDC.put(MDC_TRACE, Long.toString(context.fencingToken()));
    long started = clock.nanoTime();
    T value;
    try {
      value = call.handler().handle(context);
    } catch (Throwable e) {
      ended(delivery, started, e);
      throw e;
    } finally {
      putBack(MDC_KEY, outerKey);
      putBack(MDC_TRACE, outerTrace);
    }
    ended(delivery, started, null);
    return value;
  }

  /** A handler may have been called from within another. */
  private static void putBack(String name, @Nullable String outer) {
    if (outer == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, outer);
    }
  }

  private void ended(Delivery delivery, long started, @Nullable Throwable failure) {
    Duration elapsed = Duration.ofNanos(clock.nanoTime() - started);
    listeners.tell(new DedupEvent.HandlerEnded(delivery.key(), elapsed, failure, delivery.label()));
  }
}
