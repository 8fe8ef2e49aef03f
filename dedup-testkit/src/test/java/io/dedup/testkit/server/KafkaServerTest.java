// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KafkaServerTest {

  @RegisterExtension
  static final ServerExtension<KafkaServer> kafka = ServerExtension.own(() -> KafkaServer.start());

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void carriesRecordsFromAProducerToAGroup() throws Exception {
    String topic = newTopic();
    send(kafka.get().bootstrapServers(), topic, "one");
    assertThat(receive(topic)).containsExactly("one");
  }

  @Test
  void keepsWhatItHasAcknowledgedWhenKilled() throws Exception {
    String topic = newTopic();
    send(kafka.get().bootstrapServers(), topic, "before");
    kafka.get().kill();
    kafka.get().restart();
    send(kafka.get().bootstrapServers(), topic, "after");
    assertThat(receive(topic)).containsExactly("before", "after");
  }

  @Test
  void keepsItsRecordsWhenRestarted() throws Exception {
    String topic = newTopic();
    send(kafka.get().bootstrapServers(), topic, "before");
    kafka.get().stop();
    kafka.get().restart();
    assertThat(receive(topic)).containsExactly("before");
  }

  @Test
  void createsNoTopicByUse() {
    String topic = "unknown-" + UUID.randomUUID();
    assertThatThrownBy(() -> send(kafka.get().bootstrapServers(), topic, "x", SHORT))
        .hasMessageContaining(topic + " not present in metadata");
  }

  @Test
  void refusesATopicThatExists() {
    String topic = newTopic();
    assertThatThrownBy(() -> kafka.get().createTopic(topic, 1, Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(topic);
  }

  @Test
  void clientsOfItsProxyStayBehindIt() throws Exception {
    String topic = newTopic();
    FaultProxy proxy = kafka.get().proxy();
    send(proxy.address(), topic, "through");
    proxy.refuse();
    assertThatThrownBy(() -> send(proxy.address(), topic, "refused", SHORT))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    proxy.heal();
    assertThat(receive(topic)).containsExactly("through");
  }

  private static String newTopic() {
    String topic = "topic-" + UUID.randomUUID();
    kafka.get().createTopic(topic, 1, Map.of("retention.ms", "600000"));
    return topic;
  }

  private static void send(String bootstrapServers, String topic, String value) throws Exception {
    send(bootstrapServers, topic, value, LONG);
  }

  private static void send(String bootstrapServers, String topic, String value, Duration patience)
      throws Exception {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, patience.toMillis());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, value)).get();
    }
  }

  private static List<String> receive(String topic) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.get().bootstrapServers());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, "group-" + UUID.randomUUID());
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      for (int polls = 0; polls < 60 && !isAtEnd(consumer); polls++) {
        consumer.poll(Duration.ofMillis(500)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private static boolean isAtEnd(KafkaConsumer<String, String> consumer) {
    return !consumer.assignment().isEmpty()
        && consumer.endOffsets(consumer.assignment()).entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }
}
