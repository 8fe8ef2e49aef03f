// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run has measured.
 *
 * @param date of the run, as year-month-day
 * @param kind full or quick
 * @param rounds how often each was measured
 * @param seconds that the run took
 * @param machine where
 * @param results by workload and contender
 */
record Report(
    String date, String kind, int rounds, long seconds, Machine machine, List<Result> results) {

  Report {
    results = List.copyOf(results);
  }

  static Report read(Path file) throws IOException {
    return JsonMapper.shared().readValue(Files.readString(file), Report.class);
  }

  void write(Path file) throws IOException {
    Files.writeString(
        file,
        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(this)
            + System.lineSeparator());
  }

  boolean isExact() {
    return results.stream().allMatch(Result::exact);
  }

  Stream<String> workloads() {
    return results.stream().map(Result::workload).distinct();
  }

  List<Result> of(String workload) {
    return results.stream().filter(r -> r.workload().equals(workload)).toList();
  }

  Optional<Result> of(String workload, String contender) {
    return of(workload).stream().filter(r -> r.contender().equals(contender)).findFirst();
  }
}
