// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.kafka.topic.TopicIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Has a record's effect happen once, and says what the poll loop is to do about the record. */
interface RecordGuard {

  /**
   * Processes the record.
   *
   * @param suspect whether it may be what ended the partition's last owner
   * @throws io.dedup.claim.StoreException if there is trouble with the store
   */
  Disposition process(ConsumerRecord<byte[], byte[]> record, boolean suspect);

  /** Returns the identity of the record's topic. */
  TopicIdentity topic(ConsumerRecord<?, ?> record);

  /** Returns the group that reads. */
  String group();
}
