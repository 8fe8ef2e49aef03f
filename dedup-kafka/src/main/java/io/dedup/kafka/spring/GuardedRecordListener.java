// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.listener.adapter.RecordMessagingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Stands around a record listener. The container asks what kind of listener it has by its class, so
 * this one is of the class that the container looks for, and names the other as its delegate; the
 * rest is passed on.
 */
final class GuardedRecordListener<K, V> extends RecordMessagingMessageListenerAdapter<K, V>
    implements DelegatingMessageListener<MessageListener<K, V>> {

  private final MessageListener<K, V> delegate;
  private final ContainerGuard guard;
  private final RecordFlow flow;

  GuardedRecordListener(MessageListener<K, V> delegate, ContainerGuard guard) {
    super(null, null);
    this.delegate = delegate;
    this.guard = guard;
    this.flow = RecordFlow.of(guard);
  }

  @Override
  public MessageListener<K, V> getDelegate() {
    return delegate;
  }

  @Override
  public boolean isAsyncReplies() {
    return delegate instanceof AsyncRepliesAware aware && aware.isAsyncReplies();
  }

  @Override
  public void onMessage(ConsumerRecord<K, V> record) {
    flow.handle(delegate, record, null, null, isAsyncReplies());
  }

  @Override
  public void onMessage(ConsumerRecord<K, V> record, @Nullable Acknowledgment acknowledgment) {
    flow.handle(delegate, record, acknowledgment, null, isAsyncReplies());
  }

  @Override
  public void onMessage(ConsumerRecord<K, V> record, @Nullable Consumer<?, ?> consumer) {
    flow.handle(delegate, record, null, consumer, isAsyncReplies());
  }

  @Override
  public void onMessage(
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer) {
    flow.handle(delegate, record, acknowledgment, consumer, isAsyncReplies());
  }

  /** The retry topics' answer to a failed value belongs to the listener that has the value. */
  @Override
  public void setCallbackForAsyncFailure(
      @Nullable BiConsumer<ConsumerRecord<K, V>, RuntimeException> callback) {
    if (delegate instanceof RecordMessagingMessageListenerAdapter<K, V> adapter) {
      adapter.setCallbackForAsyncFailure(callback);
    }
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
