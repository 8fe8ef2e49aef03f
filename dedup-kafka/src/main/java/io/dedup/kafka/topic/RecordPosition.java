// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import io.dedup.claim.Origin;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The place of a record in a log. With a complete identity and the leader epoch it names one record
 * for ever: topics are created anew, and an unclean election truncates a log, and then offsets are
 * used again.
 *
 * @param topic which topic
 * @param partition 0 to {@value Origin#PARTITION_MAX}
 * @param offset not negative
 * @param leaderEpoch the epoch that the record was written in, {@value #NO_EPOCH} if unknown
 */
public record RecordPosition(TopicIdentity topic, int partition, long offset, int leaderEpoch) {

  /** The leader epoch of a record of which none is known. */
  public static final int NO_EPOCH = -1;

  /** Checks the numbers. */
  public RecordPosition {
    if (partition < 0 || partition > Origin.PARTITION_MAX) {
      throw new IllegalArgumentException(
          "partition: was " + partition + ", must be 0 to " + Origin.PARTITION_MAX);
    }
    if (offset < 0) {
      throw new IllegalArgumentException("offset: was " + offset + ", must not be negative");
    }
  }

  /** Returns the place where {@code record} itself was read. */
  static RecordPosition of(ConsumerRecord<?, ?> record, TopicIdentity topic) {
    return new RecordPosition(
        topic, record.partition(), record.offset(), record.leaderEpoch().orElse(NO_EPOCH));
  }

  /** Returns the place as an origin. */
  public Origin origin() {
    return topic.origin(partition, offset, leaderEpoch);
  }
}
