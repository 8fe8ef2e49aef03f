// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Held;
import io.dedup.kafka.topic.TopicIdentity;
import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Has a record's effect happen once, and says what the poll loop is to do about the record.
 * Confined to the poll loop's thread.
 */
interface RecordGuard {

  /**
   * Processes the record.
   *
   * @param suspect whether it may be what ended the partition's last owner
   * @param next what is processed after it unless something comes between, in order: it may be
   *     asked for together with this one
   * @throws io.dedup.claim.StoreException if there is trouble with the store
   */
  Disposition process(
      ConsumerRecord<byte[], byte[]> record,
      boolean suspect,
      Iterable<ConsumerRecord<byte[], byte[]>> next);

  /** Gives back what was asked for ahead on partitions that wait, or are somebody else's. */
  void giveBack(Collection<TopicPartition> partitions);

  /**
   * Waits until completions are stored or known not to be.
   *
   * @param atMost how long
   */
  void settle(Collection<Held> held, Duration atMost);

  /** Returns the identity of the record's topic. */
  TopicIdentity topic(ConsumerRecord<?, ?> record);

  /** Returns the group that reads. */
  String group();
}
