// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.Acknowledgment;

/** Takes a record from its key to its acknowledgment. Called in the consumer's thread. */
interface RecordFlow {

  /**
   * Takes the record.
   *
   * @param acknowledgment the container's, null if it acknowledges by itself
   * @param async whether the listener's effect is done when the value that it returns completes
   */
  <K, V> void handle(
      MessageListener<K, V> listener,
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async);

  /** Returns the flow for the mode of the guard. */
  static RecordFlow of(ContainerGuard guard) {
    return guard.mode() == ListenerMode.LEASE
        ? new LeaseRecords(guard)
        : new TransactionalRecords(guard);
  }
}
