// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.DedupEvent;
import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.TopicRules;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

/** What has gone wrong elsewhere, seen from a listener. */
class ListenerCasesTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  static SpringBroker broker;

  @BeforeAll
  static void connect() {
    broker = new SpringBroker(kafka.get());
  }

  @AfterAll
  static void disconnect() {
    broker.close();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"RECORD_BATCH", "RECORD_MANUAL_IMMEDIATE", "LIST_OF_RECORDS_BATCH", "POLLED_MANUAL"})
  void aStoreThatIsDownIsNeverReadAsADuplicateAndTheListenerGoesOnByItself(ListenerShape shape) {
    AtomicBoolean down = new AtomicBoolean();
    AtomicInteger refused = new AtomicInteger();
    try (SpringRun run = new SpringRun(broker).store(s -> outOfReach(s, down, refused)).of(shape)) {
      String before = run.send(0, "before");
      run.awaitEnd();
      down.set(true);
      String meanwhile = run.send(0, "meanwhile");
      broker.flush();
      await().atMost(SpringRun.BOUND).until(() -> refused.get() > 2);
      assertThat(run.effects().attempts(meanwhile)).isZero();
      assertThat(broker.committed(run.id(), run.topic())).isEqualTo(1);
      down.set(false);
      run.send(0, "meanwhile");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(before, meanwhile);
      assertThat(run.effects().recovered()).isEmpty();
    }
  }

  /** A store that cannot be reached while {@code down}. */
  private static ClaimStore outOfReach(
      ClaimStore store, AtomicBoolean down, AtomicInteger refused) {
    return (ClaimStore)
        Proxy.newProxyInstance(
            ListenerCasesTest.class.getClassLoader(),
            new Class<?>[] {ClaimStore.class},
            (proxy, method, arguments) -> {
              if (down.get()) {
                refused.incrementAndGet();
                throw new StoreUnavailable("out of reach", null);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aRecordWhoseRecoveryFailsIsNotLeftBehind() {
    AtomicInteger recoveries = new AtomicInteger();
    try (SpringRun run = new SpringRun(broker)) {
      run.containers(
          factory ->
              factory.setCommonErrorHandler(
                  new DefaultErrorHandler(
                      (record, e) -> {
                        if (recoveries.incrementAndGet() == 1) {
                          throw new IllegalStateException("dead letters are not to be had");
                        }
                        run.effects().recover(String.valueOf(record.value()));
                      },
                      new FixedBackOff(0, 1))));
      run.effects().fail("0:000:dead", 1000);
      run.start(new ShapeBeans.OfRecord(run.effects()));
      String dead = run.send(0, "dead");
      String next = run.send(0, "next");
      run.awaitEnd();
      assertThat(recoveries.get()).isEqualTo(2);
      assertThat(run.effects().recovered()).containsExactly(dead);
      assertThat(run.effects().done()).containsExactly(next);
      assertThat(run.store().find(run.key("dead")).map(ClaimRecord::state)).contains(State.FAILED);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "RECORD_BATCH",
        "RECORD_MANUAL",
        "LIST_OF_RECORDS_BATCH",
        "LIST_OF_MESSAGES_MANUAL",
        "TRANSACTION_RECORD_BATCH",
        "ASYNC_RECORD_MANUAL"
      })
  void eachDeliveryIsCountedOnce(ListenerShape shape) {
    try (SpringRun run = new SpringRun(broker).of(shape)) {
      for (int i = 0; i < 20; i++) {
        run.send(0, "event-" + i % 5);
      }
      run.awaitEnd();
      await().atMost(SpringRun.BOUND).until(() -> outcomes(run).size() >= 20);
      assertThat(outcomes(run)).hasSize(20);
      assertThat(outcomes(run).stream().filter(Outcome.Executed.class::isInstance)).hasSize(5);
      assertThat(outcomes(run).stream().filter(Outcome.Duplicate.class::isInstance)).hasSize(15);
    }
  }

  private static List<Outcome<?>> outcomes(SpringRun run) {
    List<Outcome<?>> outcomes = new ArrayList<>();
    for (DedupEvent event : run.events()) {
      if (event instanceof DedupEvent.Decided decided) {
        outcomes.add(decided.outcome());
      }
    }
    return outcomes;
  }

  @ParameterizedTest
  @EnumSource(names = {"RECORD_RECORD", "LIST_OF_PAYLOADS_BATCH", "LIST_OF_RECORDS_MANUAL"})
  void aRecordWithoutAKeyIsRecoveredAloneAndItsNeighboursAreHandledOnce(ListenerShape shape) {
    try (SpringRun run = new SpringRun(broker)) {
      String first = run.send(0, "first");
      String second = run.send(0, "second");
      String keyless = run.send(0, "");
      String third = run.send(0, "third");
      run.send(0, "first");
      broker.flush();
      run.of(shape);
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, second, third);
      assertThat(run.effects().recovered()).containsExactly(keyless);
      assertThat(run.effects().attempts(keyless)).isZero();
    }
  }

  /** Two groups, one of them by a pattern of names. */
  record Groups(Effects effects, Effects others) {
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    void on(String value) {
      effects.one(value);
    }

    @KafkaListener(id = ShapeBeans.ID + "-pattern", topicPattern = ShapeBeans.TOPIC + ".*")
    void onPattern(String value) {
      others.one(value);
    }
  }

  @Test
  void groupsThatReadTheSameTopicWithTheSameStoreDoNotSuppressEachOther() {
    try (SpringRun run = new SpringRun(broker)) {
      Effects others = new Effects();
      String a = run.send(0, "a");
      String b = run.send(0, "b");
      run.send(0, "a");
      run.start(new Groups(run.effects(), others));
      run.awaitEnd();
      await()
          .atMost(SpringRun.BOUND)
          .until(() -> broker.committed(run.id() + "-pattern", run.topic()) == 3);
      assertThat(run.effects().done()).containsExactly(a, b);
      assertThat(others.done()).containsExactly(a, b);
    }
  }

  /** Both read the same partition in the same group, and each is to act. */
  record Sharing(Effects effects, Effects others) {
    @KafkaListener(
        id = ShapeBeans.ID,
        topicPartitions = @TopicPartition(topic = ShapeBeans.TOPIC, partitions = "0"))
    @IdempotentListener(scope = "one")
    void one(String value) {
      effects.one(value);
    }

    @KafkaListener(
        id = ShapeBeans.ID + "-two",
        groupId = ShapeBeans.ID,
        topicPartitions = @TopicPartition(topic = ShapeBeans.TOPIC, partitions = "0"))
    @IdempotentListener(scope = "two")
    void two(String value) {
      others.one(value);
    }
  }

  @Test
  void listenersOfOneGroupThatAreAssignedTheSamePartitionBothActByTheirScopes() {
    try (SpringRun run = new SpringRun(broker)) {
      Effects others = new Effects();
      String a = run.send(0, "a");
      run.send(0, "a");
      String b = run.send(0, "b");
      run.start(new Sharing(run.effects(), others));
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done().contains(b));
      await().atMost(SpringRun.BOUND).until(() -> others.done().contains(b));
      assertThat(run.effects().done()).containsExactly(a, b);
      assertThat(others.done()).containsExactly(a, b);
    }
  }

  @Test
  void theUsersInterceptorIsKeptAndTheGuardIsNotInItsPlace() {
    AtomicInteger intercepted = new AtomicInteger();
    try (SpringRun run =
        new SpringRun(broker)
            .containers(
                factory ->
                    factory.setRecordInterceptor(
                        (record, consumer) -> {
                          intercepted.incrementAndGet();
                          return record;
                        }))) {
      run.start(new ShapeBeans.OfRecord(run.effects()));
      String a = run.send(0, "a");
      run.send(0, "a");
      run.send(0, "a");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(a);
      assertThat(intercepted.get()).isEqualTo(3);
    }
  }

  @Test
  void aTransactionalModeWithinAKafkaTransactionIsRefused() {
    DefaultKafkaProducerFactory<String, String> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix("refused-");
    ContainerProperties properties = new ContainerProperties("orders");
    properties.setGroupId("billing");
    properties.setMessageListener((MessageListener<String, String>) record -> {});
    properties.setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
    var container =
        new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer()),
            properties);
    try (Deduplicator deduplicator = Deduplicator.builder(InMemoryClaimStore.create()).build();
        ListenerGuards guards =
            ListenerGuards.builder()
                .deduplicator(ListenerMode.LEASE, deduplicator)
                .topics(
                    TopicRules.of(
                        Map.of(
                            "orders",
                            ListenerOptions.of(
                                    o ->
                                        o.key(KeyExtractors.header("event-id"))
                                            .ttl(Duration.ofDays(1)))
                                .in(ListenerMode.TRANSACTIONAL))))
                .build()) {
      assertThatThrownBy(() -> guards.guard(container))
          .hasMessageContaining("was TRANSACTIONAL within a Kafka transaction, must be LEASE");
    }
  }
}
