// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.util.backoff.FixedBackOff;

/** What listeners write in the transaction of their keys, however their container acknowledges. */
class TransactionalListenersTest {

  @RegisterExtension static final ServerExtension<KafkaServer> KAFKA = Servers.kafka();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private static final String PREFIX = "orders-" + UUID.randomUUID() + "-";
  private static ConfigurableApplicationContext context;

  /** Listeners, each with an ack mode; the names of their topics end like this. */
  enum Form {
    RECORD_RECORD,
    RECORD_BATCH,
    RECORD_COUNT,
    RECORD_TIME,
    RECORD_MANUAL,
    RECORD_MANUAL_IMMEDIATE,
    LIST_BATCH,
    LIST_COUNT,
    LIST_TIME,
    LIST_MANUAL,
    LIST_MANUAL_IMMEDIATE,
    NACKING_MANUAL
  }

  @BeforeAll
  static void start() {
    Database database = POSTGRES.get().createDatabase();
    for (Form form : Form.values()) {
      KAFKA.get().createTopic(PREFIX + form, 2, Map.of());
    }
    List<String> properties = new ArrayList<>();
    properties.addAll(
        List.of(OrdersTopic.properties(KAFKA.get(), "[" + PREFIX + "*]", "transactional")));
    properties.addAll(List.of(Applications.databaseProperties(database)));
    properties.add("test.prefix=" + PREFIX);
    properties.add("dedup.jdbc.schema=create");
    properties.add("spring.kafka.listener.ack-count=3");
    properties.add("spring.kafka.listener.ack-time=50ms");
    properties.add("spring.kafka.listener.poll-timeout=100ms");
    properties.add("spring.main.web-application-type=none");
    properties.add("spring.main.banner-mode=off");
    context =
        SpringApplication.run(
            Application.class, properties.stream().map(one -> "--" + one).toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @Test
  void whatIsBeforeANegativeAcknowledgmentIsCommittedAndTheRestComesAgain() {
    Effects effects = context.getBean(Effects.class);
    effects.fail("NACKING_MANUAL.c", 1);
    try (OrdersTopic topic =
        new OrdersTopic(KAFKA.get(), PREFIX + Form.NACKING_MANUAL, Form.NACKING_MANUAL.name())) {
      for (String id : List.of("a", "a", "b", "a", "c", "b", "d")) {
        topic.send(0, id, "NACKING_MANUAL." + id);
      }
      topic.awaitEnd();
    }
    assertThat(effects.rows("NACKING_MANUAL.")).containsExactly("a", "b", "c", "d");
    assertThat(effects.recovered(Form.NACKING_MANUAL)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NACKING_MANUAL")
  void whatAListenerWritesIsThereOnceAndInOrderThroughFailuresDuplicatesAndARestart(Form form) {
    Effects effects = context.getBean(Effects.class);
    MessageListenerContainer container =
        context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(form.name());
    try (OrdersTopic topic = new OrdersTopic(KAFKA.get(), PREFIX + form, form.name())) {
      effects.fail(form + ".twice", 2);
      effects.fail(form + ".always", 1000);
      for (String id : List.of("a", "b", "a", "twice", "b", "twice", "always", "c", "a")) {
        topic.send(0, id, form + "." + id);
        topic.send(1, "other-" + id, form + ".other-" + id);
      }
      topic.awaitEnd();
      assertThat(effects.rows(form + ".other-"))
          .containsExactly("other-a", "other-b", "other-twice", "other-always", "other-c");
      assertThat(effects.rows(form + ".")).hasSize(9).containsSubsequence("a", "b", "twice", "c");
      assertThat(effects.recovered(form)).containsExactly(form + ".always");

      container.stop();
      topic.rewind();
      effects.fail(form + ".always", 0);
      topic.send(0, "always", form + ".always");
      topic.send(0, "twice", form + ".twice");
      container.start();
      topic.awaitEnd();
      assertThat(effects.rows(form + ".")).hasSize(10).doesNotHaveDuplicates().contains("always");
      assertThat(effects.recovered(form)).containsExactly(form + ".always");
    }
  }

  /** Writes to the database, and fails after that where it is to. */
  record Effects(JdbcTemplate sql, Map<String, Integer> failures, List<String> recovered) {

    void fail(String order, int times) {
      failures.put(order, times);
    }

    void one(String order) {
      sql.update("INSERT INTO effect (delivery) VALUES (?)", order);
      int left = failures.getOrDefault(order, 0);
      if (left > 0) {
        failures.put(order, left - 1);
        throw new IllegalStateException("must fail");
      }
    }

    void all(List<String> orders) {
      for (int i = 0; i < orders.size(); i++) {
        try {
          one(orders.get(i));
        } catch (IllegalStateException e) {
          throw new BatchListenerFailedException("failed", e, i);
        }
      }
    }

    /** Returns the place of the first that is to fail, which then counts as failed; -1 if none. */
    int firstThatIsToFail(List<String> orders) {
      for (int i = 0; i < orders.size(); i++) {
        int left = failures.getOrDefault(orders.get(i), 0);
        if (left > 0) {
          failures.put(orders.get(i), left - 1);
          return i;
        }
      }
      return -1;
    }

    /** Returns the orders of a form that were written, without the form, in their order. */
    List<String> rows(String beginning) {
      return sql.queryForList("SELECT delivery FROM effect ORDER BY place", String.class).stream()
          .filter(order -> order.startsWith(beginning))
          .map(order -> order.substring(order.indexOf('.') + 1))
          .toList();
    }

    List<String> recovered(Form form) {
      return recovered.stream().filter(order -> order.startsWith(form + ".")).toList();
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    KafkaAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    DedupAutoConfiguration.class,
    DedupJdbcAutoConfiguration.class,
    DedupTransactionsAutoConfiguration.class,
    DedupListenersAutoConfiguration.class
  })
  static class Application {

    @Bean
    Effects effects(JdbcTemplate sql) {
      sql.execute("CREATE TABLE effect (place serial, delivery text)");
      return new Effects(sql, new ConcurrentHashMap<>(), new CopyOnWriteArrayList<>());
    }

    @Bean
    DefaultErrorHandler errorHandler(Effects effects) {
      return new DefaultErrorHandler(
          (record, e) -> effects.recovered().add(String.valueOf(record.value())),
          new FixedBackOff(0, 2));
    }

    /** The ack mode is what the listener's id ends with. */
    @Bean
    ContainerPostProcessor<String, String, AbstractMessageListenerContainer<String, String>>
        ackModes() {
      return container -> {
        String id = container.getListenerId();
        AckMode mode = AckMode.valueOf(id.substring(id.indexOf('_') + 1));
        container.getContainerProperties().setAckMode(mode);
      };
    }

    @Bean
    Listeners listeners(Effects effects) {
      return new Listeners(effects);
    }
  }

  record Listeners(Effects effects) {

    @KafkaListener(
        id = "RECORD_RECORD",
        topics = "${test.prefix}RECORD_RECORD",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "RECORD_BATCH",
        topics = "${test.prefix}RECORD_BATCH",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "RECORD_COUNT",
        topics = "${test.prefix}RECORD_COUNT",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "RECORD_TIME",
        topics = "${test.prefix}RECORD_TIME",
        containerPostProcessor = "ackModes")
    void onRecord(String order) {
      effects.one(order);
    }

    @KafkaListener(
        id = "RECORD_MANUAL",
        topics = "${test.prefix}RECORD_MANUAL",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "RECORD_MANUAL_IMMEDIATE",
        topics = "${test.prefix}RECORD_MANUAL_IMMEDIATE",
        containerPostProcessor = "ackModes")
    void onRecord(String order, Acknowledgment acknowledgment) {
      effects.one(order);
      acknowledgment.acknowledge();
    }

    @KafkaListener(
        id = "LIST_BATCH",
        topics = "${test.prefix}LIST_BATCH",
        batch = "true",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "LIST_COUNT",
        topics = "${test.prefix}LIST_COUNT",
        batch = "true",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "LIST_TIME",
        topics = "${test.prefix}LIST_TIME",
        batch = "true",
        containerPostProcessor = "ackModes")
    void onList(List<String> orders) {
      effects.all(orders);
    }

    @KafkaListener(
        id = "LIST_MANUAL",
        topics = "${test.prefix}LIST_MANUAL",
        batch = "true",
        containerPostProcessor = "ackModes")
    @KafkaListener(
        id = "LIST_MANUAL_IMMEDIATE",
        topics = "${test.prefix}LIST_MANUAL_IMMEDIATE",
        batch = "true",
        containerPostProcessor = "ackModes")
    void onList(List<String> orders, Acknowledgment acknowledgment) {
      effects.all(orders);
      acknowledgment.acknowledge();
    }

    /** Writes what it can, and sends the rest back without the write that has failed. */
    @KafkaListener(
        id = "NACKING_MANUAL",
        topics = "${test.prefix}NACKING_MANUAL",
        batch = "true",
        containerPostProcessor = "ackModes")
    void onListSendingBack(List<String> orders, Acknowledgment acknowledgment) {
      int failing = effects.firstThatIsToFail(orders);
      if (failing < 0) {
        effects.all(orders);
        acknowledgment.acknowledge();
      } else {
        effects.all(orders.subList(0, failing));
        acknowledgment.nack(failing, Duration.ofMillis(10));
      }
    }
  }
}
