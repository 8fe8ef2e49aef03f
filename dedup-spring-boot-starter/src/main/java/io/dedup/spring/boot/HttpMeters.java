// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.HttpListener;
import io.dedup.http.RequestOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts requests by operation and by how they were treated. Thread-safe.
 *
 * @param registry where to
 * @param max how many operations have counters of their own
 * @param known those that have
 */
record HttpMeters(MeterRegistry registry, int max, Set<String> known) implements HttpListener {

  static HttpMeters of(MeterRegistry registry, int max) {
    return new HttpMeters(registry, max, ConcurrentHashMap.newKeySet());
  }

  @Override
  public void treated(String operation, RequestOutcome outcome) {
    Counter.builder("dedup.http.requests")
        .description("Requests by how they were treated")
        .tag("operation", bounded(operation))
        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  /** A route that turns out to be a path must cost a few meters, not the registry's memory. */
  private String bounded(String operation) {
    if (known.contains(operation)) {
      return operation;
    }
    synchronized (known) {
      boolean has = known.contains(operation) || (known.size() < max && known.add(operation));
      return has ? operation : "other";
    }
  }
}
