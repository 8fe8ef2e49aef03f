// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.MessageListener;

/** Containers that no registry knows, with listeners that no annotation describes. */
class HandMadeContainersTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private final String topic = "topic-" + UUID.randomUUID();
  private final Effects effects = new Effects();
  private final Deduplicator deduplicator =
      Deduplicator.builder(InMemoryClaimStore.create()).build();
  private final ListenerGuards guards =
      ListenerGuards.builder()
          .deduplicator(ListenerMode.LEASE, deduplicator)
          .topics(
              TopicRules.of(
                  Map.of(
                      "topic-*",
                      ListenerOptions.of(
                          options ->
                              options
                                  .key(KeyExtractors.header("event-id"))
                                  .ttl(Duration.ofDays(1))))))
          .build();
  private SpringBroker broker;

  @BeforeEach
  void connect() {
    broker = new SpringBroker(kafka.get());
    broker.createTopic(topic);
  }

  @AfterEach
  void disconnect() {
    broker.close();
    guards.close();
    deduplicator.close();
  }

  /** The interfaces that a listener may implement. */
  enum Kind {
    SIMPLE(AckMode.BATCH, effects -> (MessageListener<String, String>) r -> effects.one(r.value())),
    CONSUMER_AWARE(
        AckMode.RECORD,
        effects ->
            (ConsumerAwareMessageListener<String, String>)
                (record, consumer) -> {
                  assertThat(consumer.assignment()).isNotEmpty();
                  effects.one(record.value());
                }),
    ACKNOWLEDGING(
        AckMode.MANUAL,
        effects ->
            (AcknowledgingMessageListener<String, String>)
                (record, acknowledgment) -> {
                  effects.one(record.value());
                  acknowledgment.acknowledge();
                }),
    ACKNOWLEDGING_CONSUMER_AWARE(
        AckMode.MANUAL_IMMEDIATE,
        effects ->
            (AcknowledgingConsumerAwareMessageListener<String, String>)
                (record, acknowledgment, consumer) -> {
                  effects.one(record.value());
                  acknowledgment.acknowledge();
                }),
    BATCH(
        AckMode.BATCH,
        effects -> (BatchMessageListener<String, String>) r -> effects.batch(values(r))),
    BATCH_ACKNOWLEDGING(
        AckMode.MANUAL,
        effects ->
            (BatchAcknowledgingMessageListener<String, String>)
                (records, acknowledgment) -> {
                  effects.batch(values(records));
                  acknowledgment.acknowledge();
                });

    private final AckMode mode;

    @SuppressWarnings("ImmutableEnumChecker") // A lambda.
    private final Function<Effects, Object> listener;

    Kind(AckMode mode, Function<Effects, Object> listener) {
      this.mode = mode;
      this.listener = listener;
    }

    private static List<String> values(List<ConsumerRecord<String, String>> records) {
      return records.stream().map(ConsumerRecord::value).toList();
    }
  }

  private ConcurrentMessageListenerContainer<String, String> container(String of, Kind kind) {
    ContainerProperties properties = new ContainerProperties(of);
    properties.setGroupId(topic);
    properties.setPollTimeout(50);
    properties.setAckMode(kind.mode);
    properties.setMessageListener(kind.listener.apply(effects));
    ConcurrentMessageListenerContainer<String, String> container =
        new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(
                Map.of(
                    "bootstrap.servers",
                    broker.bootstrapServers(),
                    "auto.offset.reset",
                    "earliest",
                    "fetch.max.wait.ms",
                    50,
                    "max.poll.records",
                    8),
                new StringDeserializer(),
                new StringDeserializer()),
            properties);
    container.setConcurrency(2);
    return container;
  }

  @ParameterizedTest
  @EnumSource
  void aContainerThatWasGuardedByHandSkipsDuplicatesWhateverItsListenerImplements(Kind kind) {
    ConcurrentMessageListenerContainer<String, String> container = container(topic, kind);
    guards.guard(container);
    for (int i = 0; i < 40; i++) {
      broker.send(topic, i % 2, "id-" + i % 10, (i % 2) + ":" + i + ":id-" + i % 10);
    }
    broker.flush();
    container.start();
    try {
      await().atMost(SpringRun.BOUND).until(() -> broker.committed(topic, topic) == 40);
    } finally {
      container.stop();
    }
    assertThat(effects.done().stream().map(value -> value.split(":", -1)[2]).toList())
        .hasSize(10)
        .doesNotHaveDuplicates();
    assertThat(effects.emptyCalls()).isZero();
  }

  @Test
  void aContainerWithoutOptionsForItsTopicIsRefused() {
    assertThatThrownBy(() -> guards.guard(container("other", Kind.SIMPLE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none of its topics has options, must have some to be guarded");
  }

  @Test
  void aContainerIsGuardedOnceHoweverOftenItIsAskedFor() {
    ConcurrentMessageListenerContainer<String, String> container = container(topic, Kind.SIMPLE);
    guards.guard(container);
    Object guarded = container.getContainerProperties().getMessageListener();
    guards.guard(container);
    assertThat(container.getContainerProperties().getMessageListener())
        .isSameAs(guarded)
        .isInstanceOf(GuardedRecordListener.class);
  }
}
