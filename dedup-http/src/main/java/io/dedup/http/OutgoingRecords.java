// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Gives the records that a handler sends keys of their own, the same each time it runs, so that
 * their consumers can tell a repetition. Needs kafka-clients.
 */
public final class OutgoingRecords {

  private OutgoingRecords() {}

  /**
   * Sets a header of a record; one that is there already is left as it is.
   *
   * @param header read by the consumers, for instance by {@code header:event-id}
   * @param context of the handler
   * @param name tells the records of one handler apart
   * @param index tells apart records of one name
   * @return the record
   */
  public static <K, V> ProducerRecord<K, V> withKey(
      ProducerRecord<K, V> record, String header, DedupContext context, String name, int index) {
    if (record.headers().lastHeader(header) == null) {
      record.headers().add(header, DerivedKey.utf8(context.key(), name, index));
    }
    return record;
  }
}
