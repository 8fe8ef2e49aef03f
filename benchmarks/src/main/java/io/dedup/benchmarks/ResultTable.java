// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A report as text for a terminal. */
record ResultTable(Report report) {

  private static final String ROW = "  %-27s %11s %19s %8s %8s %8s %9s %9s %9s  %s%n";

  @Override
  public String toString() {
    return report.workloads().map(this::table).collect(Collectors.joining())
        + "%nmedians of %d rounds; ratio: to plain; own: to the same without deduplication; µs: CPU of this process per record;%n"
            .formatted(report.rounds())
        + "%ntrips, stmts: round trips to the store and statements per record; executed: as expected, or what was expected%n"
            .formatted();
  }

  private String table(String workload) {
    return "%n%s%n".formatted(workload)
        + row(
            "",
            "records/s",
            "spread",
            "ratio",
            "own",
            "µs",
            "trips",
            "stmts",
            "bytes/key",
            "executed")
        + report.of(workload).stream().map(ResultTable::row).collect(Collectors.joining());
  }

  private static String row(Result r) {
    return row(
        r.contender(),
        number("%,.0f", r.recordsPerSecond()),
        number("%,.0f", r.lowest()) + " - " + number("%,.0f", r.highest()),
        number("%.3f", r.ratioToPlain()),
        number("%.3f", r.ratioToCompared()),
        number("%.1f", r.cpuMicrosPerRecord()),
        number("%.4f", r.roundTripsPerRecord()),
        number("%.4f", r.statementsPerRecord()),
        number("%.0f", r.bytesPerKey()),
        executed(r));
  }

  private static String row(Object... cells) {
    return ROW.formatted(cells);
  }

  static String executed(Result r) {
    String executed = number("%,d", r.executed());
    return r.exact() ? executed : executed + " NOT EXACT, expected " + number("%,d", r.expected());
  }

  /** A number, or a dash for none. */
  static String number(String format, @Nullable Number value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }
}
