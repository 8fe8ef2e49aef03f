// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Contenders read the same topic, one after the other, in several rounds; each round begins with
 * another of them. Before that each is warmed up, and what it sends is counted.
 *
 * @param name as in the report
 * @param plan of the topic; its records are chosen by the scale
 * @param effectTakes how long a handler takes
 * @param stores where the stores are
 * @param contenders the names of those who are measured
 */
record ReadingWorkload(
    String name, DatasetPlan plan, Duration effectTakes, Distance stores, List<String> contenders)
    implements Workload {

  /** How far the stores are. */
  enum Distance {
    NEAR,
    ONE_MILLISECOND
  }

  @Override
  public List<Result> measure(Bench bench) {
    Set<String> names = new LinkedHashSet<>(bench.chosen(contenders));
    if (names.isEmpty()) {
      return List.of();
    }
    List<Lane> lanes = new ArrayList<>();
    // Without these there is nothing to compare with.
    names.stream()
        .map(each -> bench.contenders().named(each).comparedWith())
        .toList()
        .forEach(names::add);
    names.add(Contender.PLAIN);
    try (Place place = Place.at(stores, bench.backends())) {
      for (String each : names) {
        lanes.add(new Lane(this, bench, bench.contenders().named(each), place.stores()));
      }
      bench.steps().ahead(lanes.size() * (bench.rounds() + 2));
      lanes.forEach(Lane::warmUp);
      List<Lane> order = new ArrayList<>(lanes);
      for (int round = 0; round < bench.rounds(); round++) {
        order.forEach(Lane::measure);
        Collections.rotate(order, 1);
      }
      lanes.forEach(Lane::count);
    }
    Map<String, Lane> byName = new LinkedHashMap<>();
    lanes.forEach(lane -> byName.put(lane.name(), lane));
    return lanes.stream().map(lane -> lane.result(byName)).toList();
  }

  /** Whether handlers take so long that nothing else matters, and warming up is no use. */
  boolean isSlow() {
    return !effectTakes.isZero();
  }
}
