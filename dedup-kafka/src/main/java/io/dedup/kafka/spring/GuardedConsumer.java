// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that claims what it polls, holds partitions back whose next record is busy, and
 * commits offsets only after the effects before them are stored. The container, its error handlers
 * and the listener get this one in place of the client's, and notice nothing.
 *
 * <p>A proxy by reflection, and no class with the client's fifty methods: it goes on working when
 * the client gets another one. What it costs is paid per poll, not per record. It does nothing for
 * a container that is not guarded.
 */
final class GuardedConsumer<K, V> implements InvocationHandler {

  private final Consumer<K, V> client;
  private @Nullable ConsumerFlow<K, V> flow;

  private GuardedConsumer(Consumer<K, V> client) {
    this.client = client;
  }

  @SuppressWarnings("unchecked")
  static <K, V> Consumer<K, V> around(Consumer<K, V> client) {
    return (Consumer<K, V>)
        Proxy.newProxyInstance(
            GuardedConsumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            new GuardedConsumer<>(client));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] arguments = given == null ? new Object[0] : given;
    if (method.getName().equals("poll")) {
      bind();
    }
    ConsumerFlow<K, V> bound = flow;
    if (method.getName().equals("subscribe")) {
      return pass(method, withListener(arguments));
    }
    return bound == null ? pass(method, arguments) : guarded(bound, method, arguments);
  }

  private @Nullable Object guarded(ConsumerFlow<K, V> bound, Method method, Object[] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "poll" -> bound.poll((Duration) arguments[0], timeout -> records(method, timeout));
      case "commitSync", "commitAsync" -> commit(bound, method, arguments);
      case "pause", "resume", "paused" -> paused(bound, method, arguments);
      case "seek", "seekToBeginning", "seekToEnd" -> {
        bound.sought(partitions(arguments[0]));
        yield pass(method, arguments);
      }
      case "unsubscribe" -> {
        bound.ends();
        yield pass(method, arguments);
      }
      case "close" -> {
        bound.closed();
        yield pass(method, arguments);
      }
      default -> pass(method, arguments);
    };
  }

  /** The guarded listener has introduced itself to this thread before the first poll. */
  private void bind() {
    ConsumerWork work = ConsumerWork.current();
    if (flow == null && work != null && !work.isBound()) {
      flow = new ConsumerFlow<>(client, work);
      work.bind();
    }
  }

  @SuppressWarnings("unchecked")
  private ConsumerRecords<K, V> records(Method method, Duration timeout) throws Throwable {
    return Objects.requireNonNull(
        (ConsumerRecords<K, V>) pass(method, new Object[] {timeout}), "records");
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object commit(ConsumerFlow<K, V> bound, Method method, Object[] arguments)
      throws Throwable {
    if (arguments.length == 0 || !(arguments[0] instanceof Map)) {
      // Of everything that was polled: all or nothing.
      return bound.isSettled() ? pass(method, arguments) : null;
    }
    Map<TopicPartition, OffsetAndMetadata> allowed =
        bound.committable((Map<TopicPartition, OffsetAndMetadata>) arguments[0]);
    if (allowed.isEmpty()) {
      if (arguments.length > 1 && arguments[1] instanceof OffsetCommitCallback callback) {
        callback.onComplete(allowed, null);
      }
      return null;
    }
    Object[] changed = arguments.clone();
    changed[0] = allowed;
    try {
      Object result = pass(method, changed);
      bound.committed(allowed);
      return result;
    } catch (WakeupException e) {
      bound.interrupted(allowed);
      throw e;
    }
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object paused(
      ConsumerFlow<?, ?> bound, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "pause" -> {
        bound.holds().pause((Collection<TopicPartition>) arguments[0]);
        yield null;
      }
      case "resume" -> {
        bound.holds().resume((Collection<TopicPartition>) arguments[0]);
        yield null;
      }
      default -> bound.holds().paused();
    };
  }

  private Object[] withListener(Object[] arguments) {
    Object[] changed = arguments.clone();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] instanceof ConsumerRebalanceListener listener) {
        changed[i] = new Rebalances(listener);
      }
    }
    return changed;
  }

  @SuppressWarnings("unchecked")
  private static Collection<TopicPartition> partitions(Object argument) {
    return argument instanceof TopicPartition one
        ? List.of(one)
        : (Collection<TopicPartition>) argument;
  }

  private @Nullable Object pass(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Comes before and after the container's own listener. */
  private final class Rebalances implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener container;

    Rebalances(ConsumerRebalanceListener container) {
      this.container = container;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (flow != null) {
        flow.assigned(partitions);
      }
      container.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (flow != null) {
        flow.leaving(partitions);
      }
      try {
        container.onPartitionsRevoked(partitions);
      } finally {
        if (flow != null) {
          flow.left(partitions);
        }
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      if (flow != null) {
        flow.leaving(partitions);
      }
      try {
        container.onPartitionsLost(partitions);
      } finally {
        if (flow != null) {
          flow.left(partitions);
        }
      }
    }
  }
}
