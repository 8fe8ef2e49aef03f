// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.DedupContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Does the effect of a record. */
@FunctionalInterface
public interface RecordHandler<K, V> {

  /**
   * Does the effect.
   *
   * @param context what the handler may know of the claim it runs under
   * @throws Exception if nothing was done, or what was done may be done again: the record is tried
   *     again
   */
  void handle(ConsumerRecord<K, V> record, DedupContext context) throws Exception;
}
