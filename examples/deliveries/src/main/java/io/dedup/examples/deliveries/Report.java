// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * What a run did, counted in the database and the topics.
 *
 * @param delivered published records
 * @param distinct their ids
 * @param executed ids with a row
 * @param suppressed delivered records that were neither executed nor refused
 * @param suppressedHere those of them whose effect was done by a record of the same partition
 * @param suppressedElsewhere those whose effect was done by a record of another partition
 * @param conflicts records that reused an id for another payload
 * @param rejected lines that were no deliveries
 * @param lost published ids with neither a row nor a dead letter
 * @param doubled rows beyond one for each id
 * @param killed members ended by force
 * @param seconds from the first delivery until the last offset was committed
 * @param mode where claims were kept
 * @param listener how its members read
 */
record Report(
    long delivered,
    long distinct,
    long executed,
    long suppressed,
    long suppressedHere,
    long suppressedElsewhere,
    long conflicts,
    long rejected,
    long lost,
    long doubled,
    int killed,
    double seconds,
    String mode,
    String listener) {

  long recordsPerSecond() {
    return seconds <= 0 ? 0 : Math.round(delivered / seconds);
  }

  boolean isGood() {
    return lost == 0 && doubled == 0;
  }

  Figures figures() {
    return new Figures(
        delivered,
        distinct,
        executed,
        suppressed,
        conflicts,
        rejected,
        lost,
        doubled,
        seconds,
        recordsPerSecond(),
        mode);
  }

  /** The figures of the report file, under these names. */
  @JsonPropertyOrder({
    "delivered",
    "distinct",
    "executed",
    "suppressed",
    "conflicts",
    "rejected",
    "lost",
    "doubled",
    "seconds",
    "recordsPerSecond",
    "mode"
  })
  record Figures(
      long delivered,
      long distinct,
      long executed,
      long suppressed,
      long conflicts,
      long rejected,
      long lost,
      long doubled,
      double seconds,
      long recordsPerSecond,
      String mode) {}

  String table() {
    StringBuilder table = new StringBuilder();
    row(table, "delivered", delivered, "records published");
    row(table, "distinct", distinct, "ids among them");
    row(table, "executed", executed, "ids with an effect");
    row(table, "suppressed", suppressed, "records whose effect was done");
    row(table, "  same partition", suppressedHere, "by a record of the same partition");
    row(table, "  other partition", suppressedElsewhere, "by a record of another partition");
    row(table, "conflicts", conflicts, "records with a used id and another payload, dead letters");
    row(table, "rejected", rejected, "lines that are no deliveries");
    row(table, "lost", lost, "ids with neither an effect nor a dead letter");
    row(table, "doubled", doubled, "effects beyond one for each id");
    if (killed > 0) {
      row(table, "killed", killed, "members ended by SIGKILL");
    }
    row(
        table,
        "records/s",
        recordsPerSecond(),
        "in %.1f s, mode %s, listener %s".formatted(seconds, mode, listener));
    return table.toString();
  }

  private static void row(StringBuilder table, String name, long value, String meaning) {
    table.append("  %-17s %,12d   %s%n".formatted(name, value, meaning));
  }
}
