// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A user's own rule for how long the key of a record is kept once its effect is done. Thread-safe.
 */
@FunctionalInterface
public interface TtlPolicy {

  /**
   * Returns how long the key of {@code record} is kept.
   *
   * @param record the record
   * @param now the time of the process
   * @return counted from completion; 1 ms to 36,500 days, and not shorter than the lease
   */
  Duration ttl(ConsumerRecord<?, ?> record, Instant now);
}
