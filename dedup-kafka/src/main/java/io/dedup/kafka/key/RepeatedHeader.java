// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

/** Which of several headers with the same name counts. Kafka allows them, and keeps their order. */
public enum RepeatedHeader {

  /** The last, as Kafka's own {@code lastHeader} has it. */
  LAST,

  /** The first. */
  FIRST,

  /** None: the record is unreadable, unless all of them have the same bytes. */
  FAIL
}
