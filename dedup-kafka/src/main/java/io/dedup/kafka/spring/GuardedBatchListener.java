// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.support.Acknowledgment;

/** Stands around a batch listener, and passes on what is none of its business. */
final class GuardedBatchListener<K, V>
    implements BatchAcknowledgingConsumerAwareMessageListener<K, V>,
        DelegatingMessageListener<BatchMessageListener<K, V>>,
        ConsumerSeekAware {

  private final BatchMessageListener<K, V> delegate;
  private final ContainerGuard guard;
  private final BatchFlow flow;

  GuardedBatchListener(BatchMessageListener<K, V> delegate, ContainerGuard guard) {
    this.delegate = delegate;
    this.guard = guard;
    this.flow = BatchFlow.of(guard);
  }

  @Override
  public BatchMessageListener<K, V> getDelegate() {
    return delegate;
  }

  @Override
  public boolean isAsyncReplies() {
    return delegate instanceof AsyncRepliesAware aware && aware.isAsyncReplies();
  }

  @Override
  public boolean wantsPollResult() {
    return delegate.wantsPollResult();
  }

  @Override
  public void onMessage(List<ConsumerRecord<K, V>> records) {
    flow.handle(delegate, records, null, null, null, isAsyncReplies());
  }

  @Override
  public void onMessage(
      List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment acknowledgment) {
    flow.handle(delegate, records, null, acknowledgment, null, isAsyncReplies());
  }

  @Override
  public void onMessage(List<ConsumerRecord<K, V>> records, @Nullable Consumer<?, ?> consumer) {
    flow.handle(delegate, records, null, null, consumer, isAsyncReplies());
  }

  @Override
  public void onMessage(
      List<ConsumerRecord<K, V>> records,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer) {
    flow.handle(delegate, records, null, acknowledgment, consumer, isAsyncReplies());
  }

  @Override
  public void onMessage(
      ConsumerRecords<K, V> polled,
      @Nullable Acknowledgment acknowledgment,
      Consumer<K, V> consumer) {
    List<ConsumerRecord<K, V>> records = new ArrayList<>();
    polled.forEach(records::add);
    flow.handle(delegate, records, polled, acknowledgment, consumer, isAsyncReplies());
  }

  @Override
  public void registerSeekCallback(ConsumerSeekCallback callback) {
    ConsumerWork.begin(guard);
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.registerSeekCallback(callback);
    }
  }

  @Override
  public void unregisterSeekCallback() {
    ConsumerWork.end();
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.unregisterSeekCallback();
    }
  }

  @Override
  public void onPartitionsAssigned(
      Map<TopicPartition, Long> assignments, ConsumerSeekCallback callback) {
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.onPartitionsAssigned(assignments, callback);
    }
  }

  @Override
  public void onPartitionsRevoked(@Nullable Collection<TopicPartition> partitions) {
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.onPartitionsRevoked(partitions);
    }
  }

  @Override
  public void onIdleContainer(
      Map<TopicPartition, Long> assignments, ConsumerSeekCallback callback) {
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.onIdleContainer(assignments, callback);
    }
  }

  @Override
  public void onFirstPoll() {
    if (delegate instanceof ConsumerSeekAware aware) {
      aware.onFirstPoll();
    }
  }
}
