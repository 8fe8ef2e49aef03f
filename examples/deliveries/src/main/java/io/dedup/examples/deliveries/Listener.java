// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.Locale;

/** How a member reads the topic. */
enum Listener {
  /** The framework's own consumer, on plain kafka-clients. */
  PLAIN,
  /** A listener of spring-kafka that is given one record at a time. */
  SPRING_RECORD,
  /** A listener of spring-kafka that is given what a poll returned. */
  SPRING_BATCH;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Listener of(String label) {
    for (Listener listener : values()) {
      if (listener.label().equals(label)) {
        return listener;
      }
    }
    throw new IllegalArgumentException(
        "listener: was " + label + ", must be plain, spring-record or spring-batch");
  }
}
