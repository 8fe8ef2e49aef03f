// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One contender at one workload, and what its rounds gave. */
final class Lane {

  private final ReadingWorkload workload;
  private final Bench bench;
  private final Contender contender;
  private final Stores stores;
  private final List<Pass> passes = new ArrayList<>();
  private Dataset data;
  private Metering.@Nullable Metered metered;

  Lane(ReadingWorkload workload, Bench bench, Contender contender, Stores stores) {
    this.workload = workload;
    this.bench = bench;
    this.contender = contender;
    this.stores = stores;
    this.data = filled(workload.isSlow() ? bench.scale().slowRecords() : bench.scale().small());
  }

  String name() {
    return contender.name();
  }

  private Dataset filled(int records) {
    return bench.topics().filled(workload.plan().of(records));
  }

  /** Lets the JVM compile what the contender needs, and finds out how long a topic it is for. */
  void warmUp() {
    begin("warming up");
    if (!workload.isSlow() && bench.scale() != Scale.TINY) {
      pass();
      if (bench.scale().isSoonThroughLarge(pass().recordsPerSecond())) {
        data = filled(bench.scale().large());
        pass();
      }
    }
    bench.steps().done();
  }

  void measure() {
    begin("round " + (passes.size() + 1));
    if (bench.scale() == Scale.TINY && contender.onceOnly()) {
      // Nobody looks at the time.
      passes.add(counted().pass());
    } else {
      passes.add(pass());
    }
    bench.steps().done();
  }

  private Pass pass() {
    return bench.track().pass(contender, data, workload.effectTakes(), stores, () -> {}, () -> {});
  }

  /** Counts what it sends, without looking at the time. */
  void count() {
    begin("counting round trips");
    if (contender.onceOnly()) {
      counted();
    }
    bench.steps().done();
  }

  private Metering.Metered counted() {
    if (metered == null) {
      Dataset small = workload.isSlow() ? data : filled(bench.scale().small());
      metered = bench.metering().pass(bench.track(), contender, small, workload.effectTakes());
    }
    return metered;
  }

  private void begin(String what) {
    bench.steps().now(workload.name() + ", " + contender.name() + ", " + what);
  }

  Result result(Map<String, Lane> lanes) {
    Spread speed = Spread.of(passes.stream().map(Pass::recordsPerSecond).toList());
    Pass last = passes.get(passes.size() - 1);
    Metering.Metered counted = metered;
    return new Result(
        contender.name(),
        workload.name(),
        speed.median(),
        speed.low(),
        speed.high(),
        ratioTo(lane(lanes, Contender.PLAIN)),
        contender.comparedWith(),
        ratioTo(lane(lanes, contender.comparedWith())),
        Spread.of(passes.stream().map(Pass::cpuMicrosPerRecord).toList()).median(),
        counted == null ? null : (double) counted.traffic().roundTrips() / counted.pass().records(),
        counted == null ? null : (double) counted.traffic().statements() / counted.pass().records(),
        null,
        last.executed(),
        last.expected(),
        passes.stream().allMatch(Pass::isExact) && (counted == null || counted.pass().isExact()));
  }

  private static Lane lane(Map<String, Lane> lanes, String name) {
    return Objects.requireNonNull(lanes.get(name));
  }

  private double ratioTo(Lane other) {
    return Spread.of(
            IntStream.range(0, passes.size())
                .mapToObj(
                    i -> passes.get(i).recordsPerSecond() / other.passes.get(i).recordsPerSecond())
                .toList())
        .median();
  }
}
