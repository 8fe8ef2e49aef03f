// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.Fingerprint;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the fingerprint of what a record says. A pure function of the record. Thread-safe. */
@FunctionalInterface
public interface RecordFingerprint {

  /**
   * Returns the fingerprint.
   *
   * @throws UnreadableRecordException if the value is not what it must be
   */
  Fingerprint of(ConsumerRecord<?, ?> record);

  /** Returns the name under which the choice is logged, such as {@code json}. */
  default String describe() {
    return getClass().getSimpleName();
  }
}
