// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.key.Fingerprint;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes the fingerprint of a record. The record's value is the bytes that were read, unless the
 * caller's own loop has only an object. Thread-safe.
 */
@FunctionalInterface
public interface RecordFingerprint {

  /**
   * Returns the fingerprint.
   *
   * @throws io.dedup.kafka.topic.UnreadableRecordException if the record is not what the topic's
   *     configuration says
   */
  Fingerprint of(ConsumerRecord<?, ?> record);

  /** Returns no fingerprint for any record. */
  static RecordFingerprint none() {
    return record -> Fingerprint.none();
  }
}
