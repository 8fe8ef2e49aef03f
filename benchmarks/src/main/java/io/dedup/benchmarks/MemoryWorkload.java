// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Contenders read a topic without duplicates; then their stores are weighed: Redis by {@code
 * used_memory}, PostgreSQL by the total size of its tables. Meanwhile the tables are vacuumed again
 * and again, as autovacuum would in the course of days.
 */
record MemoryWorkload(String name, DatasetPlan plan) implements Workload {

  private static final Set<String> ON_REDIS =
      Set.of("lease-redis", "set-nx", "spring-integration-redis", "camel-redis");

  @Override
  public List<String> contenders() {
    return List.of(
        "lease-redis",
        "set-nx",
        "spring-integration-redis",
        "camel-redis",
        "transactional",
        "lease-jdbc",
        "spring-integration-jdbc",
        "camel-jdbc",
        "row-inbox");
  }

  @Override
  public List<Result> measure(Bench bench) {
    List<String> names = bench.chosen(contenders());
    bench.steps().ahead(names.size());
    return names.stream().map(each -> measure(bench, bench.contenders().named(each))).toList();
  }

  private Result measure(Bench bench, Contender contender) {
    bench.steps().now(name + ", " + contender.name());
    Dataset data = bench.topics().filled(plan.of(bench.scale().keysForMemory()));
    bench.backends().clear();
    long empty = weigh(bench.backends(), contender);
    Pass pass;
    try (Vacuum vacuuming = new Vacuum(bench.backends().stores().jdbc())) {
      pass = bench.track().pass(contender, data, Duration.ZERO);
    }
    double bytes = (double) (weigh(bench.backends(), contender) - empty) / pass.expected();
    bench.steps().done();
    return new Result(
        contender.name(),
        name,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        bytes,
        pass.executed(),
        pass.expected(),
        pass.isExact());
  }

  private static long weigh(Backends backends, Contender contender) {
    return ON_REDIS.contains(contender.name())
        ? backends
            .redisCommands()
            .info("memory")
            .lines()
            .filter(line -> line.startsWith("used_memory:"))
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
            .findFirst()
            .orElseThrow()
        : Long.parseLong(
            backends.ask(
                "select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class"
                    + " where relkind = 'r' and relnamespace = 'public'::regnamespace"));
  }
}
