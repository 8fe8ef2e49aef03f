// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims and completions of new keys, in batches of 500 and without Kafka, in a store that holds
 * few keys and in one that holds many, in turns.
 */
record KeysWorkload(String name) implements Workload {

  static final String LABEL = "keys-";

  private static final String REDIS = "lease-redis";
  private static final String JDBC = "lease-jdbc";

  @Override
  public List<String> contenders() {
    return List.of(REDIS, JDBC);
  }

  @Override
  public List<Result> measure(Bench bench) {
    List<String> names = bench.chosen(contenders());
    bench.steps().ahead(names.size() * (KeyFill.STEPS + 2 * bench.rounds()));
    List<Result> results = new ArrayList<>();
    for (String each : names) {
      bench.backends().clear();
      results.addAll(each.equals(REDIS) ? onRedis(bench) : onJdbc(bench));
    }
    return results;
  }

  private List<Result> onRedis(Bench bench) {
    Ids ids = new Ids();
    try (RedisServer other = Backends.startRedis();
        StorePairs few = PairSources.onRedis(bench.backends().redis().redisUri());
        StorePairs many = PairSources.onRedis(other.redisUri())) {
      KeyFill.throughStore(many, ids, bench.scale().manyKeys(), step(bench, REDIS));
      return turns(bench, REDIS, () -> bench.backends().redisCommands().flushall(), few, many, ids);
    }
  }

  private List<Result> onJdbc(Bench bench) {
    Ids ids = new Ids();
    String url = bench.backends().stores().jdbc();
    try (StorePairs few = PairSources.onJdbc(url, "few_keys");
        StorePairs many = PairSources.onJdbc(url, "many_keys")) {
      many.claimAndComplete(ids.batch());
      KeyFill.bySql(bench.backends(), "many_keys", bench.scale().manyKeys(), step(bench, JDBC));
      return turns(bench, JDBC, () -> bench.backends().update("truncate few_keys"), few, many, ids);
    }
  }

  private Runnable step(Bench bench, String contender) {
    bench.steps().now(name + ", " + contender + ", filling the store");
    return bench.steps()::done;
  }

  private List<Result> turns(
      Bench bench, String contender, Runnable empty, StorePairs few, StorePairs many, Ids ids) {
    int fewKeys = bench.scale().fewKeys();
    int batches = Math.max(2, fewKeys / Ids.BATCH);
    PairLane onFew = new PairLane(contender, ids);
    PairLane onMany = new PairLane(contender, ids);
    for (int round = 1; round <= bench.rounds(); round++) {
      bench.steps().now(name + ", " + contender + ", round " + round);
      // The rounds add keys of their own; so few stay few.
      empty.run();
      KeyFill.throughStore(few, ids, fewKeys, () -> {});
      onFew.round(few, batches);
      bench.steps().done();
      KeyFill.throughStore(many, ids, fewKeys, () -> {});
      onMany.round(many, batches);
      bench.steps().done();
    }
    String label = label(fewKeys);
    return List.of(
        onFew.result(label, label, onFew),
        onMany.result(label(bench.scale().manyKeys()), label, onFew));
  }

  static String label(int keys) {
    return LABEL + keys;
  }
}
