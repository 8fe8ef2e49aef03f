// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A figure that the framework is to reach.
 *
 * @param what is measured
 * @param bound at least or at most
 * @param target the figure
 * @param unit of it, empty for a ratio
 * @param figure finds it in a report; null if it was not measured
 */
record Goal(
    String what,
    Bound bound,
    double target,
    String unit,
    Function<Report, @Nullable Double> figure) {

  private static final String BASE = "duplicates-20";

  enum Bound {
    AT_LEAST("≥"),
    AT_MOST("≤");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  static List<Goal> all() {
    return List.of(
        ratio("`lease` on Redis, plain consumer, of plain", 0.8, BASE, "lease-redis"),
        own("`lease` on Redis, Spring record listener, of the same without", "spring-record-lease"),
        own("`lease` on Redis, Spring batch listener, of the same without", "spring-batch-lease"),
        atMost(
            "CPU of the consumer per record, `lease` on Redis",
            20,
            " µs",
            figure(BASE, "lease-redis", Result::cpuMicrosPerRecord)),
        ratio(
            "`transactional`, Spring batch listener, of plain",
            0.45,
            BASE,
            "spring-batch-transactional"),
        ratio(
            "`transactional`, plain consumer, grouped, of plain",
            0.6,
            BASE,
            "transactional-grouped"),
        ratio(
            "`transactional`, Spring record listener, of plain",
            0.25,
            BASE,
            "spring-record-transactional"),
        ratio(
            "`tiered`, plain consumer, grouped, 95 % duplicates, of plain",
            0.8, "duplicates-95", "tiered-grouped"),
        times(
            "`lease` on Redis, the store 1 ms away, of the two-call way",
            30,
            "store-1-ms",
            "set-nx"),
        atLeast(
            "claim + complete pairs in batches of 500, of pipelined calls",
            1.6,
            figure("pairs-500", "lease-redis", Result::ratioToCompared)),
        times("repeats of one completed hot key, of the two-call way", 10, "hot-key", "set-nx"),
        bytes("bytes per completed key, Redis", 200, "lease-redis"),
        bytes("bytes per row with indexes, PostgreSQL, `transactional`", 150, "transactional"),
        bytes("bytes per row with indexes, PostgreSQL, `lease`", 200, "lease-jdbc"),
        growth("claim cost with many keys, of that with few, Redis", "lease-redis"),
        growth("claim cost with many keys, of that with few, PostgreSQL", "lease-jdbc"));
  }

  private static Goal ratio(String what, double target, String workload, String contender) {
    return atLeast(what, target, figure(workload, contender, Result::ratioToPlain));
  }

  private static Goal own(String what, String contender) {
    return atLeast(what, 0.5, figure(BASE, contender, Result::ratioToCompared));
  }

  private static Goal times(String what, double target, String workload, String other) {
    return atLeast(
        what,
        target,
        report -> {
          Double ours = figure(workload, "lease-redis", Result::recordsPerSecond).apply(report);
          Double theirs = figure(workload, other, Result::recordsPerSecond).apply(report);
          return ours == null || theirs == null ? null : ours / theirs;
        });
  }

  private static Goal bytes(String what, double target, String contender) {
    return atMost(what, target, "", figure("memory", contender, Result::bytesPerKey));
  }

  /** The workload of many keys is named by their number, which the scale decides. */
  private static Goal growth(String what, String contender) {
    return atMost(
        what,
        1.3,
        "",
        report ->
            report.results().stream()
                .filter(r -> r.workload().startsWith(KeysWorkload.LABEL))
                .filter(r -> r.contender().equals(contender))
                .filter(r -> !r.workload().equals(r.comparedWith()))
                .findFirst()
                .map(Result::ratioToCompared)
                .map(speed -> 1 / speed)
                .orElse(null));
  }

  private static Goal atLeast(
      String what, double target, Function<Report, @Nullable Double> figure) {
    return new Goal(what, Bound.AT_LEAST, target, "", figure);
  }

  private static Goal atMost(
      String what, double target, String unit, Function<Report, @Nullable Double> figure) {
    return new Goal(what, Bound.AT_MOST, target, unit, figure);
  }

  private static Function<Report, @Nullable Double> figure(
      String workload, String contender, Function<Result, @Nullable Double> part) {
    return report -> report.of(workload, contender).map(part).orElse(null);
  }

  String wanted() {
    return bound.sign + " " + text(target);
  }

  String reached(Report report) {
    Double value = figure.apply(report);
    return value == null ? "not measured" : text(value);
  }

  String verdict(Report report) {
    Double value = figure.apply(report);
    if (value == null) {
      return "-";
    }
    return (bound == Bound.AT_LEAST ? value >= target : value <= target) ? "yes" : "no";
  }

  private String text(double value) {
    String digits = value >= 10 ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, digits, value) + unit;
  }
}
