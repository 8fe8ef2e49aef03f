// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/** Takes a batch from its keys to its acknowledgment. Called in the consumer's thread. */
interface BatchFlow {

  /**
   * Takes the batch.
   *
   * @param records the batch
   * @param polled the batch as the listener wants it, null if it wants a list
   * @param acknowledgment the container's, null if it acknowledges by itself
   * @param async whether the listener's effects are done when the value that it returns completes
   */
  <K, V> void handle(
      BatchMessageListener<K, V> listener,
      List<ConsumerRecord<K, V>> records,
      @Nullable ConsumerRecords<K, V> polled,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async);

  /** Returns the flow for the mode of the guard. */
  static BatchFlow of(ContainerGuard guard) {
    return guard.mode() == ListenerMode.LEASE
        ? new LeaseBatches(guard)
        : new TransactionalBatches(guard);
  }
}
