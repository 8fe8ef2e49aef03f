// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Claims and completions of new keys in batches of 500, without Kafka. */
record PairsWorkload(String name) implements Workload {

  private static final String BASE = "limit-redis-pipelined";

  @Override
  public List<String> contenders() {
    return List.copyOf(PairSources.all().keySet());
  }

  @Override
  public List<Result> measure(Bench bench) {
    Set<String> names = new LinkedHashSet<>(bench.chosen(contenders()));
    if (names.isEmpty()) {
      return List.of();
    }
    names.add(BASE);
    bench.steps().ahead(names.size() * bench.rounds());
    Ids ids = new Ids();
    Map<String, PairLane> lanes = new LinkedHashMap<>();
    names.forEach(each -> lanes.put(each, new PairLane(each, ids)));
    for (int round = 1; round <= bench.rounds(); round++) {
      for (Map.Entry<String, PairLane> lane : lanes.entrySet()) {
        bench.steps().now(name + ", " + lane.getKey() + ", round " + round);
        bench.backends().clear();
        try (Pairs pairs = source(lane.getKey()).apply(bench.backends().stores())) {
          warmUp(pairs, ids);
          lane.getValue().round(pairs, bench.scale().pairBatches());
        }
        bench.steps().done();
      }
    }
    PairLane base = Objects.requireNonNull(lanes.get(BASE));
    List<Result> results = new ArrayList<>();
    lanes.values().forEach(lane -> results.add(lane.result(name, BASE, base)));
    return results;
  }

  private static Function<Stores, Pairs> source(String name) {
    return Objects.requireNonNull(PairSources.all().get(name));
  }

  /** Long enough for statements to be prepared, and for most of what is to be compiled. */
  private static void warmUp(Pairs pairs, Ids ids) {
    for (int i = 0; i < 10; i++) {
      pairs.claimAndComplete(ids.batch());
    }
  }
}
