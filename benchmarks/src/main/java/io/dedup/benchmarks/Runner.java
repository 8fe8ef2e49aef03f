// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Measures workloads one after the other.
 *
 * @param scale how much
 * @param rounds how often
 * @param workloads names, in their order
 * @param selected names of contenders, empty for all
 */
record Runner(Scale scale, int rounds, List<String> workloads, Set<String> selected) {

  Report run(Steps steps) {
    long started = System.nanoTime();
    Contenders contenders = Contenders.all();
    Workloads all = Workloads.of(contenders);
    List<Result> results = new ArrayList<>();
    steps.now("starting the servers");
    try (Backends backends = Backends.start();
        Metering metering = new Metering(backends)) {
      Bench bench =
          new Bench(
              backends,
              new Topics(backends.kafka()),
              new Track(backends),
              metering,
              contenders,
              selected,
              scale,
              rounds,
              steps);
      for (String name : workloads) {
        results.addAll(all.named(name).measure(bench));
      }
    }
    return new Report(
        LocalDate.now(ZoneOffset.UTC).toString(),
        scale.label(),
        rounds,
        (System.nanoTime() - started) / 1_000_000_000,
        Machine.here(),
        results);
  }
}
