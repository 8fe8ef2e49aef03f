// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.ArrayList;
import java.util.List;

/**
 * What the members of one run need to know.
 *
 * @param id tells this run's topics, keys and tables from another's
 * @param mode where claims are kept
 * @param listener how its members read
 * @param kafka the brokers
 * @param redis the URI of Redis, empty if none is needed
 * @param jdbc the URL of PostgreSQL, with user and password
 */
record Run(String id, Mode mode, Listener listener, String kafka, String redis, String jdbc) {

  String topic() {
    return "deliveries-" + id;
  }

  String deadLetterTopic() {
    return topic() + "-dlt";
  }

  String group() {
    return "deliveries-" + id;
  }

  /** Made of letters and digits alone, so it needs no quoting. */
  String effectTable() {
    return "effect_" + id;
  }

  String claimTable() {
    return "dedup_claim_" + id;
  }

  /** Returns the same run, with a Redis although its mode needs none. */
  Run with(String otherRedis) {
    return new Run(id, mode, listener, kafka, otherRedis, jdbc);
  }

  List<String> toArguments() {
    return new ArrayList<>(List.of(id, mode.label(), listener.label(), kafka, redis, jdbc));
  }

  static Run of(List<String> arguments) {
    return new Run(
        arguments.get(0),
        Mode.of(arguments.get(1)),
        Listener.of(arguments.get(2)),
        arguments.get(3),
        arguments.get(4),
        arguments.get(5));
  }
}
