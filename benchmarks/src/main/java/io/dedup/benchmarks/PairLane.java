// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Claims and completes in batches, in several rounds, and keeps what they gave. */
final class PairLane {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final String name;
  private final Ids ids;
  private final List<Double> perSecond = new ArrayList<>();
  private final List<Double> cpuMicros = new ArrayList<>();

  PairLane(String name, Ids ids) {
    this.name = name;
    this.ids = ids;
  }

  void round(Pairs pairs, int batches) {
    List<List<String>> work = IntStream.range(0, batches).mapToObj(i -> ids.batch()).toList();
    long cpu = PROCESS.getProcessCpuTime();
    long started = System.nanoTime();
    work.forEach(pairs::claimAndComplete);
    double seconds = (System.nanoTime() - started) / 1e9;
    double cpuSeconds = (PROCESS.getProcessCpuTime() - cpu) / 1e9;
    double count = (double) batches * Ids.BATCH;
    perSecond.add(count / seconds);
    cpuMicros.add(cpuSeconds * 1e6 / count);
  }

  /** The figures; a pair that was not exact has ended the run before. */
  Result result(String workload, @Nullable String comparedWith, PairLane other) {
    Spread speed = Spread.of(perSecond);
    return new Result(
        name,
        workload,
        speed.median(),
        speed.low(),
        speed.high(),
        null,
        comparedWith,
        Spread.of(
                IntStream.range(0, perSecond.size())
                    .mapToObj(i -> perSecond.get(i) / other.perSecond.get(i))
                    .toList())
            .median(),
        Spread.of(cpuMicros).median(),
        null,
        null,
        null,
        null,
        null,
        true);
  }
}
