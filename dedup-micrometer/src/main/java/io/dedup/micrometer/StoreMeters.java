// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one store. Thread-safe.
 *
 * <p>A registry that refuses a meter must not turn an answer of the store into trouble, so nothing
 * is thrown from here but what the store threw.
 */
final class StoreMeters {

  private static final Logger log = LoggerFactory.getLogger(StoreMeters.class);

  private final Clock clock;
  private final Meter.MeterProvider<Timer> operations;
  private final Meter.MeterProvider<DistributionSummary> batches;
  private final Meter.MeterProvider<Counter> transitions;

  /** Since when the store does not answer, by the registry's monotonic clock; null if it does. */
  private final AtomicReference<@Nullable Long> silentSince = new AtomicReference<>();

  StoreMeters(MeterRegistry registry, String name) {
    this.clock = registry.config().clock();
    Tags store = Tags.of("store", name);
    this.operations =
        Timer.builder("dedup.store.operations")
            .description("How long a store takes to answer")
            .tags(store)
            .withRegistry(registry);
    this.batches =
        DistributionSummary.builder("dedup.store.batch.size")
            .description("Keys in one call of a store")
            .tags(store)
            .withRegistry(registry);
    this.transitions =
        Counter.builder("dedup.transitions")
            .description("Changes of state, as a store answered them")
            .tags(store)
            .withRegistry(registry);
    TimeGauge.builder("dedup.outage", this, TimeUnit.NANOSECONDS, StoreMeters::silentNanos)
        .description("How long a store has not answered, 0 while it does")
        .tags(store)
        .register(registry);
  }

  /** Runs one call of the store, and measures it. */
  <T> T measured(String verb, int batchSize, Supplier<T> call) {
    long start = clock.monotonicTime();
    T answer;
    try {
      answer = call.get();
    } catch (RuntimeException e) {
      record(verb, batchSize, start, e);
      throw e;
    }
    record(verb, batchSize, start, null);
    return answer;
  }

  void transition(String from, String to) {
    quietly(() -> transitions.withTags("from", from, "to", to).increment());
  }

  private void record(String verb, int batchSize, long start, @Nullable RuntimeException failure) {
    quietly(
        () -> {
          long now = clock.monotonicTime();
          if (failure instanceof StoreUnavailable) {
            silentSince.compareAndSet(null, start);
          } else {
            silentSince.set(null);
          }
          operations
              .withTags("verb", verb, "result", failure == null ? "answered" : kind(failure))
              .record(now - start, TimeUnit.NANOSECONDS);
          batches.withTags("verb", verb).record(batchSize);
        });
  }

  private double silentNanos() {
    Long since = silentSince.get();
    return since == null ? 0 : clock.monotonicTime() - since;
  }

  /** Returns the kind of trouble, as a tag. */
  static String kind(RuntimeException failure) {
    if (!(failure instanceof StoreException trouble)) {
      return "refused";
    }
    if (trouble instanceof StoreCorrupt) {
      return "store_corrupt";
    }
    return trouble instanceof StoreMisconfigured ? "store_misconfigured" : "store_unavailable";
  }

  private static void quietly(Runnable measuring) {
    try {
      measuring.run();
    } catch (RuntimeException e) {
      log.debug("the registry refused a meter of the store", e);
    }
  }
}
