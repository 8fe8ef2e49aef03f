// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.Deduplicator;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.spring.ListenerGuards;
import io.dedup.kafka.spring.ListenerMode;
import io.dedup.kafka.spring.ListenerOptions;
import io.dedup.kafka.spring.RecordRefused;
import io.dedup.kafka.topic.TopicRules;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.ExponentialBackOffWithMaxRetries;

/**
 * Reads with a listener container of spring-kafka, as an application without Boot would make it;
 * the listener in it knows nothing of deduplication.
 */
final class SpringIntake implements Intake {

  private final Run run;
  private final DefaultKafkaProducerFactory<byte[], byte[]> producers;
  private final KafkaMessageListenerContainer<byte[], byte[]> container;
  private final ListenerGuards guards;
  private boolean started;

  SpringIntake(Run run, Deduplicator deduplicator, EffectTable effects) {
    this.run = run;
    this.producers = new DefaultKafkaProducerFactory<>(Member.producerProperties(run.kafka()));
    this.container = container(effects);
    ListenerMode mode = mode(run.mode());
    this.guards =
        ListenerGuards.builder()
            .deduplicator(mode, deduplicator)
            .topics(TopicRules.of(Map.of(run.topic(), options(mode))))
            .build();
    guards.guard(container);
  }

  private KafkaMessageListenerContainer<byte[], byte[]> container(EffectTable effects) {
    ContainerProperties properties = new ContainerProperties(run.topic());
    if (run.listener() == Listener.SPRING_BATCH) {
      BatchMessageListener<byte[], byte[]> batch = effects::insert;
      properties.setMessageListener(batch);
    } else {
      MessageListener<byte[], byte[]> record = effects::insert;
      properties.setMessageListener(record);
    }
    KafkaMessageListenerContainer<byte[], byte[]> made =
        new KafkaMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(
                Member.consumerProperties(run),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer()),
            properties);
    made.setCommonErrorHandler(errorHandler());
    return made;
  }

  private static ListenerOptions options(ListenerMode mode) {
    return ListenerOptions.of(
            topic ->
                topic
                    .key(KeyExtractors.header(Publisher.ID_HEADER))
                    .fingerprint(Fingerprints.raw())
                    .ttl(Duration.ofDays(1)))
        .in(mode);
  }

  private static ListenerMode mode(Mode mode) {
    return switch (mode) {
      case LEASE_REDIS, LEASE_JDBC -> ListenerMode.LEASE;
      case TRANSACTIONAL -> ListenerMode.TRANSACTIONAL;
      case TIERED -> ListenerMode.TIERED;
    };
  }

  private DefaultErrorHandler errorHandler() {
    DeadLetterPublishingRecoverer deadLetters =
        new DeadLetterPublishingRecoverer(
            new KafkaTemplate<>(producers),
            (record, failure) -> new TopicPartition(run.deadLetterTopic(), -1));
    deadLetters.setHeadersFunction((record, failure) -> reason(failure));
    ExponentialBackOffWithMaxRetries backOff = new ExponentialBackOffWithMaxRetries(Member.RETRIES);
    backOff.setInitialInterval(Member.FIRST_BACK_OFF.toMillis());
    backOff.setMaxInterval(Member.LONGEST_BACK_OFF.toMillis());
    return new DefaultErrorHandler(deadLetters, backOff);
  }

  /** A record that was refused is told from one that failed, as the plain consumer tells them. */
  private static @Nullable Headers reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RecordRefused refused) {
        return new RecordHeaders()
            .add(Count.REASON_HEADER, refused.reason().name().getBytes(UTF_8));
      }
    }
    return null;
  }

  @Override
  public void start() {
    container.start();
    started = true;
  }

  @Override
  public @Nullable Throwable failure() {
    return started && !container.isRunning()
        ? new IllegalStateException("the listener container has stopped")
        : null;
  }

  @Override
  public void close() {
    container.stop();
    guards.close();
    producers.destroy();
  }
}
