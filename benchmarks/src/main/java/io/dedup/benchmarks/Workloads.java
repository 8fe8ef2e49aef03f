// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.benchmarks.ReadingWorkload.Distance;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is measured, by name. */
final class Workloads {

  private static final long SEED = 20_260_101;
  private static final int PARTITIONS = 4;

  private final Map<String, Workload> byName = new LinkedHashMap<>();

  private Workloads(Contenders contenders) {
    add(reading("duplicates-20", 0.2, contenders.names()));
    add(
        reading(
            "duplicates-95",
            0.95,
            List.of(
                "plain",
                "lease-redis",
                "transactional-grouped",
                "tiered",
                "tiered-grouped",
                "set-nx",
                "row-inbox")));
    add(reading("hot-key", 1.0, List.of("plain", "lease-redis", "tiered-grouped", "set-nx")));
    add(
        new ReadingWorkload(
            "slow-handler",
            new DatasetPlan(0, PARTITIONS, 0.2, SEED),
            Duration.ofMillis(50),
            Distance.NEAR,
            List.of("plain", "lease-redis", "transactional")));
    add(
        new ReadingWorkload(
            "store-1-ms",
            new DatasetPlan(0, PARTITIONS, 0.2, SEED),
            Duration.ZERO,
            Distance.ONE_MILLISECOND,
            List.of(
                "plain",
                "lease-redis",
                "spring-batch-lease",
                "transactional-grouped",
                "spring-batch-transactional",
                "set-nx",
                "row-inbox")));
    for (int partitions : List.of(1, 4, 16)) {
      add(
          new ReadingWorkload(
              "partitions-" + partitions,
              new DatasetPlan(0, partitions, 0.2, SEED),
              Duration.ZERO,
              Distance.NEAR,
              List.of("plain", "lease-redis", "spring-batch-lease")));
    }
    add(new PairsWorkload("pairs-500"));
    add(new MemoryWorkload("memory", new DatasetPlan(0, PARTITIONS, 0, SEED)));
    add(new KeysWorkload("store-size"));
  }

  static Workloads of(Contenders contenders) {
    return new Workloads(contenders);
  }

  private static Workload reading(String name, double duplicates, List<String> contenders) {
    return new ReadingWorkload(
        name,
        new DatasetPlan(0, PARTITIONS, duplicates, SEED),
        Duration.ZERO,
        Distance.NEAR,
        contenders);
  }

  private void add(Workload workload) {
    byName.put(workload.name(), workload);
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * Returns a workload.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  Workload named(String name) {
    Workload found = byName.get(name);
    if (found == null) {
      throw new IllegalArgumentException("workload: was " + name + ", must be one of " + names());
    }
    return found;
  }
}
