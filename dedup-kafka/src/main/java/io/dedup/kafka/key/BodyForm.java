// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

/** What of a record's value counts when the whole value is the id. */
public enum BodyForm {

  /**
   * Each byte. Two encodings of the same Avro or Protobuf message may differ in their bytes (order
   * of maps, unknown fields, sync markers, schema ids), so for these take their fields.
   */
  RAW,

  /**
   * The JSON document: not its spacing and the order of members, but the order of elements and the
   * lexemes of numbers.
   */
  JSON
}
