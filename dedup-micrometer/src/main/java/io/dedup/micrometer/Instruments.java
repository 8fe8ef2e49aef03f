// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.dedup.claim.StoreStats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** The meters of deliveries, with their names and descriptions. Thread-safe. */
final class Instruments {

  private static final Map<String, ToLongFunction<StoreStats>> COUNTS =
      Map.of(
          "issued", StoreStats::issued,
          "processing", StoreStats::processing,
          "succeeded", StoreStats::succeeded,
          "failed", StoreStats::failed,
          "released", StoreStats::released,
          "expired", StoreStats::expired);

  private final MeterRegistry registry;
  private final Meter.MeterProvider<Counter> claims;
  private final Meter.MeterProvider<Counter> errors;
  private final Meter.MeterProvider<Timer> handlers;
  private final Meter.MeterProvider<Timer> waits;
  private final Meter.MeterProvider<Timer> ages;
  private final Meter.MeterProvider<DistributionSummary> ageRatios;
  private final Counter leaseLost;
  private final Counter settleIndeterminate;

  /** The last counts of each store, which its gauges read; kept here, since gauges keep nothing. */
  private final Map<String, StoreStats> stats = new ConcurrentHashMap<>();

  Instruments(MeterRegistry registry) {
    this.registry = registry;
    this.claims =
        Counter.builder("dedup.claims")
            .description("Deliveries by what became of them; each counts once")
            .withRegistry(registry);
    this.errors =
        Counter.builder("dedup.errors")
            .description("Failures of handlers and trouble with stores")
            .withRegistry(registry);
    this.handlers =
        Timer.builder("dedup.handler").description("How long handlers run").withRegistry(registry);
    this.waits =
        Timer.builder("dedup.in.progress.wait")
            .description("How long deliveries waited for another who had their key")
            .withRegistry(registry);
    this.ages =
        Timer.builder("dedup.duplicate.age")
            .description("How long ago the effect of a duplicate was done")
            .withRegistry(registry);
    this.ageRatios =
        DistributionSummary.builder("dedup.duplicate.age.ratio")
            .description("The age of a duplicate in parts of its ttl; near 1, keys expire too soon")
            .withRegistry(registry);
    this.leaseLost =
        Counter.builder("dedup.lease.lost")
            .description("Claims that another took over before they were settled")
            .register(registry);
    this.settleIndeterminate =
        Counter.builder("dedup.settle.indeterminate")
            .description("Effects that are done, or may be, with a completion that may be lost")
            .register(registry);
  }

  void claim(Tags tags) {
    claims.withTags(tags).increment();
  }

  void error(String type) {
    errors.withTags("type", type).increment();
  }

  void handler(Tags tags, Duration elapsed) {
    handlers.withTags(tags).record(elapsed);
  }

  void inProgressWait(Tags tags, Duration waited) {
    waits.withTags(tags).record(waited);
  }

  void duplicateAge(Tags tags, Duration age, Duration ttl) {
    ages.withTags(tags).record(age);
    if (!ttl.isZero()) {
      ageRatios.withTags(tags).record((double) age.toMillis() / Math.max(1, ttl.toMillis()));
    }
  }

  void leaseLost() {
    leaseLost.increment();
  }

  void settleIndeterminate() {
    settleIndeterminate.increment();
  }

  void storeKeys(String store, StoreStats counted) {
    if (stats.put(store, counted) == null) {
      COUNTS.forEach((state, count) -> gauge(store, state, count));
    }
  }

  private void gauge(String store, String state, ToLongFunction<StoreStats> count) {
    Gauge.builder("dedup.store.keys", stats, all -> last(all, store, count))
        .description("Keys in the store when they were last counted")
        .tags("store", store, "state", state)
        .strongReference(true)
        .register(registry);
  }

  private static double last(
      Map<String, StoreStats> all, String store, ToLongFunction<StoreStats> count) {
    StoreStats counted = all.get(store);
    return counted == null ? Double.NaN : count.applyAsLong(counted);
  }
}
