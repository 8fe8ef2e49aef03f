// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** A listener is guarded by configuration alone. */
class GuardedByConfigurationTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  static final List<String> effects = new CopyOnWriteArrayList<>();
  static String topic = "";

  @Test
  void duplicatesAreSkippedAndTheOffsetGoesOn() throws Exception {
    topic = "orders-" + UUID.randomUUID();
    kafka.get().createTopic(topic, 2, Map.of());
    try (KafkaProducer<String, String> producer = producer()) {
      for (int i = 0; i < 100; i++) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(topic, i % 2, null, "value " + i);
        record.headers().add("event-id", ("id-" + i % 40).getBytes(UTF_8));
        var unused = producer.send(record);
      }
    }
    System.setProperty("smoke.topic", topic);
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Application.class)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> committed() == 100);
      assertThat(effects).hasSize(40).doesNotHaveDuplicates();
    }
  }

  private static long committed() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.get().bootstrapServers()))) {
      return admin
          .listConsumerGroupOffsets("billing")
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(e -> e.getKey().topic().equals(topic))
          .mapToLong(e -> e.getValue().offset())
          .sum();
    }
  }

  private static KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.get().bootstrapServers()),
        new StringSerializer(),
        new StringSerializer());
  }

  @Configuration
  @EnableKafka
  @EnableIdempotentListeners
  static class Application {

    @Bean(destroyMethod = "close")
    Deduplicator deduplicator() {
      return Deduplicator.builder(InMemoryClaimStore.create()).build();
    }

    @Bean
    ListenerGuards guards(Deduplicator deduplicator) {
      return ListenerGuards.builder()
          .deduplicator(ListenerMode.LEASE, deduplicator)
          .topics(
              TopicRules.of(
                  Map.of(
                      "orders-*",
                      ListenerOptions.of(
                          options ->
                              options
                                  .key(KeyExtractors.header("event-id"))
                                  .ttl(Duration.ofDays(1))))))
          .build();
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
      ConcurrentKafkaListenerContainerFactory<String, String> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(
          new DefaultKafkaConsumerFactory<>(
              Map.of(
                  ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                  kafka.get().bootstrapServers(),
                  ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                  "earliest"),
              new StringDeserializer(),
              new StringDeserializer()));
      return factory;
    }

    @KafkaListener(id = "billing", topics = "#{systemProperties['smoke.topic']}")
    void on(String value) {
      effects.add(value);
    }
  }
}
