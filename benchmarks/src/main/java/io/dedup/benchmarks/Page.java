// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The figures of a report on the page of the manual, between two marks. */
record Page(Report report) {

  static final String BEGIN = "<!-- figures: written by benchmarks/run --render -->";
  static final String END = "<!-- end of figures -->";

  /**
   * Puts the figures between the marks of a page.
   *
   * @throws IllegalArgumentException if the page has no marks
   */
  void write(Path page) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "page: was without the marks, must have " + BEGIN + " and " + END);
    }
    Files.writeString(
        page,
        text.substring(0, begin + BEGIN.length()) + "\n\n" + this + "\n" + text.substring(end));
  }

  @Override
  public String toString() {
    return """
    ## Round trips first

    What a contender sends to its store for each record at 20 %% duplicates. This does not depend on the machine.

    %s
    ## Goals

    %s, %s run, medians of %d rounds, in %d s. %s.

    %s
    ## Ratios

    ![Records per second as a share of the plain loop](benchmarks.svg)

    Records per second as a share of the plain loop of the same round (*own*: of the same consumer without deduplication),
    and the CPU time of the consumer's process per record. The spread is that of the records per second over the rounds.
    *executed* is how often the handler ran: as often as it should have, for each id, or the table says so.

    %s\
    """
        .formatted(
            trips(),
            report.date(),
            report.kind(),
            report.rounds(),
            report.seconds(),
            report.machine(),
            goals(),
            report.workloads().map(this::workload).collect(Collectors.joining("\n")));
  }

  private String trips() {
    return row("contender", "round trips", "statements")
        + "|---|---:|---:|\n"
        + report.of("duplicates-20").stream()
            .filter(r -> r.roundTripsPerRecord() != null)
            .map(
                r ->
                    row(
                        r.contender(),
                        number("%.4f", r.roundTripsPerRecord()),
                        number("%.4f", r.statementsPerRecord())))
            .collect(Collectors.joining());
  }

  private String goals() {
    return row("what", "goal", "reached", "met")
        + "|---|---:|---:|---|\n"
        + Goal.all().stream()
            .map(g -> row(g.what(), g.wanted(), g.reached(report), g.verdict(report)))
            .collect(Collectors.joining());
  }

  private String workload(String name) {
    boolean weighed = report.of(name).stream().anyMatch(r -> r.bytesPerKey() != null);
    String head =
        weighed
            ? row("contender", "bytes per key", "executed") + "|---|---:|---:|\n"
            : row("contender", "records/s", "spread", "ratio", "own", "CPU µs", "executed")
                + "|---|---:|---:|---:|---:|---:|---:|\n";
    return "### "
        + name
        + "\n\n"
        + head
        + report.of(name).stream()
            .map(r -> weighed ? weighed(r) : timed(r))
            .collect(Collectors.joining());
  }

  private static String weighed(Result r) {
    return row(r.contender(), number("%.0f", r.bytesPerKey()), ResultTable.executed(r));
  }

  private static String timed(Result r) {
    return row(
        r.contender(),
        number("%,.0f", r.recordsPerSecond()),
        spread(r),
        number("%.3f", r.ratioToPlain()),
        number("%.3f", r.ratioToCompared()),
        number("%.1f", r.cpuMicrosPerRecord()),
        ResultTable.executed(r));
  }

  private static String spread(Result r) {
    Double low = r.lowest();
    Double high = r.highest();
    Double median = r.recordsPerSecond();
    return low == null || high == null || median == null
        ? "-"
        : String.format(
            Locale.ROOT, "-%.0f %%, +%.0f %%", 100 - 100 * low / median, 100 * high / median - 100);
  }

  private static String number(String format, @Nullable Number value) {
    return ResultTable.number(format, value);
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
