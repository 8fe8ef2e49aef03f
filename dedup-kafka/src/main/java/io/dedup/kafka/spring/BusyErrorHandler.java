// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Stands around the container's error handler. A record that is busy is read again after a pause:
 * the other handler is not asked, so no attempt is counted and nothing is recovered. Everything
 * else is the other handler's.
 */
final class BusyErrorHandler implements CommonErrorHandler {

  private static final LogAccessor LOG = new LogAccessor(BusyErrorHandler.class);

  private final CommonErrorHandler handler;

  BusyErrorHandler(CommonErrorHandler handler) {
    this.handler = handler;
  }

  CommonErrorHandler handler() {
    return handler;
  }

  /** The container asks at each error; one that does not seek has no way to wait. */
  @Override
  public boolean seeksAfterHandling() {
    return handler.seeksAfterHandling() || ConsumerWork.isBusy();
  }

  @Override
  public void handleRemaining(
      Exception thrown,
      List<ConsumerRecord<?, ?>> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    RecordBusy busy = busy(thrown);
    if (busy == null) {
      handler.handleRemaining(thrown, records, consumer, container);
    } else {
      readAgain(busy, thrown, records, consumer, container);
    }
  }

  @Override
  public void handleBatch(
      Exception thrown,
      ConsumerRecords<?, ?> data,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    RecordBusy busy = busy(thrown);
    if (busy == null) {
      handler.handleBatch(thrown, data, consumer, container, invokeListener);
    } else {
      readAgain(busy, thrown, list(data), consumer, container);
    }
  }

  @Override
  public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
      Exception thrown,
      ConsumerRecords<?, ?> data,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    RecordBusy busy = busy(thrown);
    if (busy == null) {
      return handler.handleBatchAndReturnRemaining(
          thrown, data, consumer, container, invokeListener);
    }
    readAgain(busy, thrown, list(data), consumer, container);
    return ConsumerRecords.empty();
  }

  private static @Nullable RecordBusy busy(Exception thrown) {
    ConsumerWork.noLongerBusy();
    return RecordBusy.in(thrown);
  }

  /** It must throw: had it returned, the container would take the record for handled. */
  private static void readAgain(
      RecordBusy busy,
      Exception thrown,
      List<ConsumerRecord<?, ?>> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    ConsumerWork work = ConsumerWork.current();
    if (work != null && work.isBound() && !records.isEmpty()) {
      work.waitBefore(records.get(0), busy.pause());
    } else {
      pause(busy.pause());
    }
    SeekUtils.seekOrRecover(
        thrown,
        records,
        consumer,
        container,
        false,
        (record, exception) -> false,
        LOG,
        KafkaException.Level.DEBUG);
  }

  /** Nobody holds the partition back, so the thread does. */
  static void pause(Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<ConsumerRecord<?, ?>> list(ConsumerRecords<?, ?> data) {
    List<ConsumerRecord<?, ?>> records = new ArrayList<>();
    data.forEach(records::add);
    return records;
  }

  @Override
  public boolean handleOne(
      Exception thrown,
      ConsumerRecord<?, ?> record,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    return handler.handleOne(thrown, record, consumer, container);
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batchListener) {
    handler.handleOtherException(thrown, consumer, container, batchListener);
  }

  @Override
  public boolean deliveryAttemptHeader() {
    return handler.deliveryAttemptHeader();
  }

  @Override
  public int deliveryAttempt(TopicPartitionOffset position) {
    return handler.deliveryAttempt(position);
  }

  @Override
  public void clearThreadState() {
    handler.clearThreadState();
  }

  @Override
  public boolean isAckAfterHandle() {
    return handler.isAckAfterHandle();
  }

  @Override
  public void setAckAfterHandle(boolean acknowledges) {
    handler.setAckAfterHandle(acknowledges);
  }

  @Override
  public void onPartitionsAssigned(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
    handler.onPartitionsAssigned(consumer, partitions, publishPause);
  }

  @Override
  public LogAccessor logger() {
    return handler.logger();
  }
}
