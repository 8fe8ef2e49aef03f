// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Applications whose listeners know nothing of deduplication. */
class ListenersTest {

  @RegisterExtension static final ServerExtension<KafkaServer> KAFKA = Servers.kafka();
  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private static final int RECORDS = 60;
  private static final int KEYS = 20;
  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

  private final String topic = "orders-" + UUID.randomUUID();

  @BeforeEach
  void publish() {
    EFFECTS.clear();
    KAFKA.get().createTopic(topic, 2, Map.of());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", KAFKA.get().bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        int id = i % KEYS;
        ProducerRecord<String, String> record =
            new ProducerRecord<>(topic, id % 2, null, "order " + id);
        record.headers().add("event-id", ("id-" + id).getBytes(UTF_8));
        var unused = producer.send(record);
      }
    }
  }

  @Test
  void anUnmodifiedListenerIsDeduplicatedOnRedisByFourLines() {
    withKafka(Applications.withRedis(REDIS.get()))
        .withUserConfiguration(RecordListener.class)
        .withPropertyValues(fourLines("lease"))
        .run(this::awaitEffectsOnce);
  }

  @Test
  void anUnmodifiedBatchListenerIsDeduplicatedOnRedis() {
    withKafka(Applications.withRedis(REDIS.get()))
        .withUserConfiguration(BatchListener.class)
        .withPropertyValues(fourLines("lease"))
        .run(this::awaitEffectsOnce);
  }

  @Test
  void anUnmodifiedListenerIsDeduplicatedOnADatabaseWithoutRedis() {
    withKafka(Applications.withDatabase(POSTGRES.get().createDatabase()))
        .withUserConfiguration(RecordListener.class)
        .withPropertyValues(fourLines("lease"))
        .withPropertyValues("dedup.jdbc.schema=create")
        .run(this::awaitEffectsOnce);
  }

  @Test
  void whatATransactionalListenerWritesIsCommittedWithItsKey() {
    transactional(RecordListener.class);
  }

  @Test
  void whatATransactionalBatchListenerWritesIsCommittedWithItsKeys() {
    transactional(BatchListener.class);
  }

  private void transactional(Class<?> listener) {
    Database database = POSTGRES.get().createDatabase();
    withKafka(Applications.withDatabase(database))
        .withUserConfiguration(listener)
        .withPropertyValues(fourLines("transactional"))
        .withPropertyValues("dedup.jdbc.schema=create")
        .run(
            context -> {
              awaitEffectsOnce(context);
              assertThat(EFFECTS).allMatch(effect -> effect.endsWith("in a transaction"));
              assertThat(
                      new JdbcTemplate(context.getBean(DataSource.class))
                          .queryForObject("SELECT count(*) FROM dedup_claim", Long.class))
                  .isEqualTo(KEYS);
            });
  }

  @Test
  void aTieredListenerHasItsEffectsOnceWithRedisInFront() {
    withKafka(Applications.withBoth(REDIS.get(), POSTGRES.get().createDatabase()))
        .withUserConfiguration(RecordListener.class)
        .withPropertyValues(fourLines("tiered"))
        .withPropertyValues("dedup.jdbc.schema=create", "dedup.store=jdbc")
        .run(this::awaitEffectsOnce);
  }

  @Test
  void aListenerOfATransactionalTopicWithoutADatabaseStopsTheStart() {
    withKafka(Applications.withRedis(REDIS.get()))
        .withUserConfiguration(RecordListener.class)
        .withPropertyValues(fourLines("transactional"))
        .run(
            context ->
                assertThat(context).getFailure().hasStackTraceContaining("was transactional"));
  }

  private String[] fourLines(String mode) {
    return new String[] {
      "test.topic=" + topic,
      "dedup.kafka.topics." + topic + ".key=header:event-id",
      "dedup.kafka.topics." + topic + ".ttl=7d",
      "dedup.kafka.topics." + topic + ".mode=" + mode,
    };
  }

  private static ApplicationContextRunner withKafka(ApplicationContextRunner application) {
    return application
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=" + KAFKA.get().bootstrapServers(),
            "spring.kafka.consumer.auto-offset-reset=earliest",
            "spring.kafka.consumer.fetch-max-wait=100ms");
  }

  private void awaitEffectsOnce(AssertableApplicationContext context) {
    assertThat(context).hasNotFailed();
    await().atMost(Duration.ofSeconds(60)).until(() -> committed() == RECORDS);
    assertThat(EFFECTS).hasSize(KEYS).doesNotHaveDuplicates();
  }

  private long committed() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.get().bootstrapServers()))) {
      return admin
          .listConsumerGroupOffsets("billing")
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(entry -> entry.getKey().topic().equals(topic))
          .mapToLong(entry -> entry.getValue().offset())
          .sum();
    }
  }

  private static void effect(String order) {
    boolean transaction = TransactionSynchronizationManager.isActualTransactionActive();
    EFFECTS.add(order + (transaction ? " in a transaction" : ""));
  }

  @Configuration(proxyBeanMethods = false)
  static class RecordListener {
    @KafkaListener(id = "billing", topics = "${test.topic}")
    void on(String order) {
      effect(order);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class BatchListener {
    @KafkaListener(id = "billing", topics = "${test.topic}", batch = "true")
    void on(List<String> orders) {
      orders.forEach(ListenersTest::effect);
    }
  }
}
