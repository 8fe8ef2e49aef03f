// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ListenerType;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.Acknowledgment;

/** Calls a guarded listener as the container would have called it. */
final class DelegateCall {

  private DelegateCall() {}

  @SuppressWarnings("NullAway") // The container passes null where it has none, and so do we.
  static <K, V> void call(
      MessageListener<K, V> listener,
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer) {
    switch (type(listener)) {
      case ACKNOWLEDGING_CONSUMER_AWARE -> listener.onMessage(record, acknowledgment, consumer);
      case ACKNOWLEDGING -> listener.onMessage(record, acknowledgment);
      case CONSUMER_AWARE -> listener.onMessage(record, consumer);
      case SIMPLE -> listener.onMessage(record);
    }
  }

  // The container passes null where it has none, and so do we; and its consumer is the listener's.
  @SuppressWarnings({"NullAway", "unchecked"})
  static <K, V> void call(
      BatchMessageListener<K, V> listener,
      ConsumerRecords<K, V> records,
      List<ConsumerRecord<K, V>> list,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer) {
    if (listener.wantsPollResult()) {
      listener.onMessage(records, acknowledgment, (Consumer<K, V>) consumer);
      return;
    }
    switch (type(listener)) {
      case ACKNOWLEDGING_CONSUMER_AWARE -> listener.onMessage(list, acknowledgment, consumer);
      case ACKNOWLEDGING -> listener.onMessage(list, acknowledgment);
      case CONSUMER_AWARE -> listener.onMessage(list, consumer);
      case SIMPLE -> listener.onMessage(list);
    }
  }

  private static ListenerType type(Object listener) {
    return ListenerUtils.determineListenerType(listener);
  }
}
