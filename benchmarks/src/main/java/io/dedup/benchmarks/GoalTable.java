// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.stream.Collectors;

/** The goals as text for a terminal. */
record GoalTable(Report report) {

  private static final String ROW = "  %-74s %10s %14s  %s%n";

  @Override
  public String toString() {
    return "%n%s".formatted(ROW.formatted("", "goal", "reached", "met"))
        + Goal.all().stream()
            .map(
                goal ->
                    ROW.formatted(
                        goal.what(), goal.wanted(), goal.reached(report), goal.verdict(report)))
            .collect(Collectors.joining())
        + System.lineSeparator();
  }
}
