// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Policy;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.FilteringBatchMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.HandlerAdapter;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * Puts the guard around the listener of a container, its consumers, and what it does with errors.
 */
final class GuardedContainer {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedContainer.class);

  private final AbstractMessageListenerContainer<?, ?> container;
  private final ContainerGuard guard;
  private final Set<String> topics;
  private final Policy policy;

  GuardedContainer(
      AbstractMessageListenerContainer<?, ?> container,
      ContainerGuard guard,
      Set<String> topics,
      Policy policy) {
    this.container = container;
    this.guard = guard;
    this.topics = topics;
    this.policy = policy;
  }

  void install() {
    Object listener = unadvised(container.getContainerProperties().getMessageListener());
    if (listener == null) {
      throw new IllegalArgumentException(
          "listener " + guard.listener() + ": was not set, must be before it is guarded");
    }
    ConsumerProxies.installIn(consumers(container));
    var transactions = container.getContainerProperties().getKafkaAwareTransactionManager();
    if (transactions != null) {
      GuardedProducers.installIn(transactions.getProducerFactory(), guard.listener());
    }
    // The container puts the user's advice around whatever is set, so the advice comes once.
    container.setupMessageListener(around(listener));
  }

  /** A proxy would be advised once more. */
  private static @Nullable Object unadvised(@Nullable Object listener) {
    if (listener instanceof Advised advised) {
      try {
        return advised.getTargetSource().getTarget();
      } catch (Exception e) {
        throw new IllegalStateException("target of " + listener + " cannot be told", e);
      }
    }
    return listener;
  }

  /** The guard stands inside filters: a record that is filtered out was never claimed. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Object around(Object listener) {
    if (listener instanceof FilteringMessageListenerAdapter<?, ?> filter) {
      return new FilteringMessageListenerAdapter<>(
          (MessageListener) around(Objects.requireNonNull(filter.getDelegate())),
          (RecordFilterStrategy) Objects.requireNonNull(field(filter, "recordFilterStrategy")),
          Boolean.TRUE.equals(field(filter, "ackDiscarded")));
    }
    if (listener instanceof FilteringBatchMessageListenerAdapter<?, ?> filter) {
      return new FilteringBatchMessageListenerAdapter<>(
          (BatchMessageListener) around(Objects.requireNonNull(filter.getDelegate())),
          (RecordFilterStrategy) Objects.requireNonNull(field(filter, "recordFilterStrategy")),
          Boolean.TRUE.equals(field(filter, "ackDiscarded")));
    }
    if (listener instanceof MessagingMessageListenerAdapter<?, ?> adapter
        && adapter.isAsyncReplies()) {
      listenToValues(adapter);
    }
    if (listener instanceof BatchMessageListener<?, ?> batch) {
      return new GuardedBatchListener<>(batch, guard);
    }
    if (listener instanceof MessageListener<?, ?> record) {
      return new GuardedRecordListener<>(record, guard);
    }
    throw new IllegalArgumentException(
        "listener "
            + guard.listener()
            + ": was "
            + listener.getClass().getName()
            + ", must be a record or batch listener");
  }

  /** The adapter has a setter for what calls the method, and no getter. */
  private static void listenToValues(MessagingMessageListenerAdapter<?, ?> adapter) {
    HandlerAdapter handler =
        (HandlerAdapter) Objects.requireNonNull(field(adapter, "handlerMethod"));
    if (!(handler instanceof OutcomeHandler)) {
      adapter.setHandlerMethod(new OutcomeHandler(handler, anyMethod()));
    }
  }

  private static @Nullable Object field(Object of, String name) {
    return new DirectFieldAccessor(of).getPropertyValue(name);
  }

  private static InvocableHandlerMethod anyMethod() {
    try {
      Method any = Object.class.getMethod("toString");
      return new InvocableHandlerMethod(new Object(), any);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** To be called when all others have set their error handlers, and before the start. */
  void composeErrorHandling() {
    boolean transactional =
        container.getContainerProperties().getKafkaAwareTransactionManager() != null;
    CommonErrorHandler handler = container.getCommonErrorHandler();
    if (handler == null && !transactional) {
      handler = new DefaultErrorHandler();
    }
    if (handler != null && !(handler instanceof BusyErrorHandler)) {
      if (handler instanceof ExceptionClassifier classifier) {
        refuseRetries(classifier);
      }
      container.setCommonErrorHandler(new BusyErrorHandler(handler));
    }
    if (transactional) {
      composeRollback(container);
    }
  }

  private static <K, V> void composeRollback(AbstractMessageListenerContainer<K, V> container) {
    if (!(container.getAfterRollbackProcessor() instanceof BusyRollbackProcessor)) {
      if (container.getAfterRollbackProcessor() instanceof ExceptionClassifier classifier) {
        refuseRetries(classifier);
      }
      container.setAfterRollbackProcessor(
          BusyRollbackProcessor.around(container.getAfterRollbackProcessor()));
    }
  }

  @SuppressWarnings("unchecked")
  static void refuseRetries(ExceptionClassifier classifier) {
    classifier.addNotRetryableExceptions(RecordRefused.class);
  }

  void prepare() {
    guard.prepare(topics);
    topics.forEach(
        topic ->
            LOG.info(
                "listener {}: topic {}, group {}, mode {}, guard {}, lease {}",
                guard.listener(),
                topic,
                guard.asks().group(),
                guard.mode(),
                guard.guard(topic),
                policy.lease()));
  }

  static ConsumerFactory<?, ?> consumers(AbstractMessageListenerContainer<?, ?> container) {
    return (ConsumerFactory<?, ?>)
        Objects.requireNonNull(field(container, "consumerFactory"), "consumerFactory");
  }
}
