// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Stands around what a container does after a rolled back Kafka transaction. A record that is busy
 * is read again after a pause, and the other one is not asked.
 */
class BusyRollbackProcessor<K, V> implements AfterRollbackProcessor<K, V> {

  private static final LogAccessor LOG = new LogAccessor(BusyRollbackProcessor.class);

  private final AfterRollbackProcessor<? super K, ? super V> processor;

  BusyRollbackProcessor(AfterRollbackProcessor<? super K, ? super V> processor) {
    this.processor = processor;
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(
      List<ConsumerRecord<K, V>> records,
      Consumer<K, V> consumer,
      MessageListenerContainer container,
      Exception exception,
      boolean recoverable,
      ContainerProperties.EOSMode eosMode) {
    ConsumerWork current = ConsumerWork.current();
    if (current != null) {
      current.uncommitted();
    }
    RecordBusy busy = RecordBusy.in(exception);
    if (busy == null) {
      // It takes the records for reading, whatever they are.
      ((AfterRollbackProcessor<K, V>) processor)
          .process(records, consumer, container, exception, recoverable, eosMode);
      return;
    }
    ConsumerWork.noLongerBusy();
    List<ConsumerRecord<?, ?>> again = List.copyOf(records);
    if (current != null && current.isBound() && !again.isEmpty()) {
      current.waitBefore(again.get(0), busy.pause());
    } else {
      BusyErrorHandler.pause(busy.pause());
    }
    SeekUtils.doSeeksToBegin(again, consumer, LOG);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void processBatch(
      ConsumerRecords<K, V> records,
      List<ConsumerRecord<K, V>> list,
      Consumer<K, V> consumer,
      MessageListenerContainer container,
      Exception exception,
      boolean recoverable,
      ContainerProperties.EOSMode eosMode) {
    ConsumerWork current = ConsumerWork.current();
    if (current != null) {
      current.uncommitted();
    }
    if (RecordBusy.in(exception) == null) {
      ((AfterRollbackProcessor<K, V>) processor)
          .processBatch(records, list, consumer, container, exception, recoverable, eosMode);
    } else {
      process(list, consumer, container, exception, false, eosMode);
    }
  }

  /**
   * In the container's transaction the offsets of recovered records are sent; ours never is one.
   */
  @Override
  public boolean isProcessInTransaction() {
    return processor.isProcessInTransaction();
  }

  @Override
  public void clearThreadState() {
    processor.clearThreadState();
  }

  /** Returns one that counts attempts if the other does. */
  static <K, V> BusyRollbackProcessor<K, V> around(
      AfterRollbackProcessor<? super K, ? super V> processor) {
    return processor instanceof DeliveryAttemptAware aware
        ? new Counting<>(processor, aware)
        : new BusyRollbackProcessor<>(processor);
  }

  private static final class Counting<K, V> extends BusyRollbackProcessor<K, V>
      implements DeliveryAttemptAware {
    private final DeliveryAttemptAware aware;

    Counting(AfterRollbackProcessor<? super K, ? super V> processor, DeliveryAttemptAware aware) {
      super(processor);
      this.aware = aware;
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset position) {
      return aware.deliveryAttempt(position);
    }
  }
}
