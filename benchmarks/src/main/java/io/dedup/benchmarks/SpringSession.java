// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.spring.ListenerGuards;
import io.dedup.kafka.spring.ListenerMode;
import io.dedup.kafka.spring.ListenerOptions;
import io.dedup.kafka.topic.TopicRules;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;

/** A listener container of spring-kafka in AckMode BATCH, guarded or not. */
final class SpringSession implements Session {

  private final KafkaMessageListenerContainer<byte[], byte[]> container;
  private final @Nullable Deduplication deduplication;
  private final @Nullable ListenerGuards guards;

  enum Form {
    RECORD,
    BATCH
  }

  private SpringSession(Course course, Form form, Deduplication.@Nullable Mode mode) {
    ContainerProperties properties = new ContainerProperties(course.data().topic());
    properties.setMessageListener(listener(form, course.effect()));
    this.container =
        new KafkaMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(course.consumer()), properties);
    if (mode == null) {
      this.deduplication = null;
      this.guards = null;
    } else {
      this.deduplication = Deduplication.open(mode, course.stores());
      ListenerMode listenerMode =
          switch (mode) {
            case LEASE_ON_REDIS, LEASE_ON_JDBC -> ListenerMode.LEASE;
            case TRANSACTIONAL -> ListenerMode.TRANSACTIONAL;
            case TIERED -> ListenerMode.TIERED;
          };
      ListenerOptions options =
          ListenerOptions.of(
                  topic -> topic.key(KeyExtractors.header(Dataset.ID_HEADER)).ttl(Course.TTL))
              .in(listenerMode);
      this.guards =
          ListenerGuards.builder()
              .deduplicator(listenerMode, deduplication.deduplicator())
              .topics(TopicRules.of(Map.of(course.data().topic(), options)))
              .build();
      guards.guard(container);
    }
  }

  private static Object listener(Form form, Effect effect) {
    return switch (form) {
      case RECORD -> (MessageListener<byte[], byte[]>) effect::run;
      case BATCH -> (BatchMessageListener<byte[], byte[]>) records -> records.forEach(effect::run);
    };
  }

  static Contender.Start unguarded(Form form) {
    return course -> started(new SpringSession(course, form, null));
  }

  static Contender.Start guarded(Form form, Deduplication.Mode mode) {
    return course -> started(new SpringSession(course, form, mode));
  }

  private static Session started(SpringSession session) {
    session.container.start();
    return session;
  }

  @Override
  public @Nullable Throwable failure() {
    return container.isRunning() ? null : new IllegalStateException("the container has stopped");
  }

  @Override
  public void close() {
    container.stop();
    if (guards != null) {
      guards.close();
    }
    if (deduplication != null) {
      deduplication.close();
    }
  }
}
