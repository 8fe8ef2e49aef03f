// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.dedup.DedupEvent;
import io.dedup.DedupListener;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and times what happens to deliveries and what a store is asked. Thread-safe.
 *
 * <pre>{@code
 * DedupMeters meters = DedupMeters.of(registry);
 * Deduplicator dedup = Deduplicator.builder(meters.timed("redis", store)).listener(meters).build();
 * }</pre>
 *
 * <p>No meter carries a key, a scope, an owner or anything of a payload. {@code source} is the
 * label of the delivery ({@link io.dedup.Delivery#withLabel}): a topic, a route, an operation. The
 * first {@value #DEFAULT_MAX_SOURCES} of them have meters of their own, those that come later share
 * {@code other}.
 */
public final class DedupMeters implements DedupListener {

  /** How many sources have meters of their own unless said otherwise. */
  public static final int DEFAULT_MAX_SOURCES = 100;

  private static final Tags NO_REASON = Tags.of("reason", "none");

  private final MeterRegistry registry;
  private final Instruments instruments;
  private final Sources sources;
  private final Map<String, StoreMeters> stores = new ConcurrentHashMap<>();

  private DedupMeters(MeterRegistry registry, int maxSources) {
    this.registry = registry;
    this.instruments = new Instruments(registry);
    this.sources = new Sources(maxSources);
  }

  /** Returns the meters of {@code registry}. */
  public static DedupMeters of(MeterRegistry registry) {
    return of(registry, DEFAULT_MAX_SOURCES);
  }

  /**
   * Returns the meters of {@code registry}.
   *
   * @param maxSources how many sources have meters of their own; at least 1
   * @throws IllegalArgumentException if it is less
   */
  public static DedupMeters of(MeterRegistry registry, int maxSources) {
    return new DedupMeters(registry, maxSources);
  }

  /**
   * Returns a store that does what {@code store} does and measures it: {@code
   * dedup.store.operations}, {@code dedup.store.batch.size}, {@code dedup.transitions} and {@code
   * dedup.outage}.
   *
   * <p>Transitions are counted as answered: those of an inbox before its transaction commits, and a
   * request that was sent twice twice.
   *
   * @param name tells the application's stores apart, such as {@code redis}
   */
  public ClaimStore timed(String name, ClaimStore store) {
    // One set for each name: a registry keeps the first gauge of a name, and none of what follows.
    StoreMeters meters = stores.computeIfAbsent(name, known -> new StoreMeters(registry, known));
    return new MeteredStore(store, meters);
  }

  /**
   * Sets {@code dedup.store.keys} to what was counted in a store. Counting reads the whole store,
   * so the caller decides how often.
   *
   * @param store the store's name
   */
  public void storeKeys(String store, StoreStats stats) {
    instruments.storeKeys(store, stats);
  }

  @Override
  public void on(DedupEvent event) {
    if (event instanceof DedupEvent.Decided decided) {
      decided(decided);
    } else if (event instanceof DedupEvent.HandlerEnded ended) {
      handlerEnded(ended);
    } else if (event instanceof DedupEvent.LeaseTaken) {
      instruments.leaseLost();
    } else if (event instanceof DedupEvent.SettleIndeterminate) {
      instruments.settleIndeterminate();
    } else if (event instanceof DedupEvent.StoreFailed failed) {
      instruments.error(StoreMeters.kind(failed.cause()));
    }
  }

  private void decided(DedupEvent.Decided decided) {
    Tags source = sources.tag(decided.label());
    Outcome<?> outcome = decided.outcome();
    Tags reason = NO_REASON;
    if (outcome instanceof Outcome.Duplicate<?> duplicate) {
      reason = Tags.of("reason", Names.of(duplicate.reason()));
      duplicate(source, duplicate, decided.ttl());
    }
    instruments.claim(source.and(reason).and("answer", Names.of(outcome)));
    if (!decided.waited().isZero()) {
      instruments.inProgressWait(source, decided.waited());
    }
  }

  /** The ratio says how near the keys are to being forgotten when their duplicates come. */
  private void duplicate(Tags source, Outcome.Duplicate<?> duplicate, Duration ttl) {
    Instant now = Instant.ofEpochMilli(registry.config().clock().wallTime());
    Duration age = Duration.between(duplicate.completed(), now);
    // The store's clock may be ahead of ours.
    instruments.duplicateAge(source, age.isNegative() ? Duration.ZERO : age, ttl);
  }

  private void handlerEnded(DedupEvent.HandlerEnded ended) {
    boolean failed = ended.failure() != null;
    instruments.handler(
        sources.tag(ended.label()).and("result", failed ? "failed" : "returned"), ended.elapsed());
    if (failed) {
      instruments.error("handler");
    }
  }
}
