// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * What a run did.
 *
 * @param published records in the topics of payments and fees, duplicates and replays included
 * @param distinct payments, fees and orders that had to be booked, each once
 * @param bothWays payments among them that came by Kafka and by HTTP
 * @param answers of the HTTP server
 * @param unexpected answers that were not what the client must get
 * @param failures of the risk check, each tried again
 * @param deadLetters records that were given up, twice where a replay failed, too
 * @param stillDead records that no replay helps
 * @param ordersPaid orders that were paid
 * @param ordersFailed orders that were declined
 * @param charges in the card company's books
 * @param restarts of the application
 * @param lost of the distinct ones that are not booked
 * @param doubled postings beyond one for each side of them
 * @param balanced whether each account is what it must be
 * @param seconds from the first record to the last account
 */
@JsonPropertyOrder({
  "published",
  "distinct",
  "bothWays",
  "answers",
  "unexpected",
  "failures",
  "deadLetters",
  "stillDead",
  "ordersPaid",
  "ordersFailed",
  "charges",
  "restarts",
  "lost",
  "doubled",
  "balanced",
  "seconds"
})
record Report(
    long published,
    long distinct,
    long bothWays,
    long answers,
    long unexpected,
    long failures,
    long deadLetters,
    long stillDead,
    long ordersPaid,
    long ordersFailed,
    long charges,
    long restarts,
    long lost,
    long doubled,
    boolean balanced,
    double seconds) {

  /** Returns whether everything is as it must be. */
  boolean good() {
    return balanced && unexpected == 0 && charges == ordersPaid + ordersFailed;
  }

  String table() {
    StringBuilder table = new StringBuilder();
    row(table, "published", published, "records, with duplicates and replays");
    row(table, "distinct", distinct, "payments, fees and orders to be booked once");
    row(table, "both ways", bothWays, "payments that came by Kafka and by HTTP");
    row(table, "answers", answers, "of the HTTP server");
    row(table, "unexpected", unexpected, "of them");
    row(table, "failures", failures, "of the risk check, tried again");
    row(table, "dead letters", deadLetters, "records given up, before and after the replay");
    row(table, "still dead", stillDead, "that no replay helps");
    row(table, "orders", ordersPaid, "paid, each by one of many callers");
    row(table, "declined", ordersFailed, "orders");
    row(table, "charges", charges, "in the card company's books");
    if (restarts > 0) {
      row(table, "restarts", restarts, "of the application in the middle");
    }
    row(table, "lost", lost, "not booked");
    row(table, "doubled", doubled, "postings too many");
    row(
        table,
        "records/s",
        seconds <= 0 ? 0 : Math.round(published / seconds),
        "in %.1f s".formatted(seconds));
    return table.toString();
  }

  private static void row(StringBuilder table, String name, long value, String meaning) {
    table.append("  %-12s %,11d   %s%n".formatted(name, value, meaning));
  }
}
