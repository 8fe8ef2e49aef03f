// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** What listeners use of spring-kafka works beside the guard, or is refused at start. */
class GuardedListenersTest {

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

  @Test
  void theIndexOfAFailedBatchNamesTheRecordBehindTheDuplicatesThatWereLeftOut() {
    try (SpringRun run = new SpringRun(broker)) {
      for (String event : List.of("a", "a", "a", "b", "a", "bad", "b", "c")) {
        run.send(0, event);
      }
      broker.flush();
      run.effects().fail("0:005:bad", 1000);
      run.start(new ShapeBeans.OfPayloads(run.effects()));
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly("0:000:a", "0:003:b", "0:007:c");
      assertThat(run.effects().recovered()).containsExactly("0:005:bad");
      assertThat(run.effects().attempts("0:005:bad")).isEqualTo(3);
    }
  }

  @Test
  void aNegativelyAcknowledgedRestOfABatchComesAgainAndWhatIsBeforeDoesNot() {
    try (SpringRun run = new SpringRun(broker).acknowledging(AckMode.MANUAL)) {
      for (String event : List.of("a", "a", "b", "a", "c", "b", "d")) {
        run.send(0, event);
      }
      broker.flush();
      run.effects().fail("0:004:c", 1);
      run.start(new Nacking(run.effects()));
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly("0:000:a", "0:002:b", "0:004:c", "0:006:d");
      assertThat(run.effects().attempts("0:004:c")).isEqualTo(2);
    }
  }

  record Nacking(Effects effects) {
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC, batch = "true")
    void on(List<String> values, Acknowledgment acknowledgment) {
      try {
        effects.batch(values);
        acknowledgment.acknowledge();
      } catch (BatchListenerFailedException e) {
        acknowledgment.nack(e.getIndex(), Duration.ofMillis(10));
      }
    }
  }

  @Test
  void aRecordThatAFilterDiscardsIsNotDoneForACopyThatItLetsThrough() {
    try (SpringRun run =
        new SpringRun(broker)
            .containers(
                factory ->
                    factory.setRecordFilterStrategy(
                        record -> record.value().equals("0:001:late")))) {
      String kept = run.send(0, "kept");
      run.send(0, "late");
      run.send(0, "kept");
      run.start(new ShapeBeans.OfRecord(run.effects()));
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(kept);
      String copy = run.send(0, "late");
      run.send(0, "late");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(kept, copy);
    }
  }

  @Test
  void aValueThatFailsLaterLeavesTheKeyToALaterCopy() {
    try (SpringRun run = new SpringRun(broker)) {
      run.effects().fail("0:000:late", 1000);
      run.start(new FailingLater(run.effects()));
      String late = run.send(0, "late");
      broker.flush();
      await().atMost(SpringRun.BOUND).until(() -> run.effects().attempts(late) > 0);
      run.awaitEnd();
      String copy = run.send(0, "late");
      run.awaitEnd();
      run.send(0, "late");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(copy);
    }
  }

  record FailingLater(Effects effects) {
    private static final Executor LATER =
        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    CompletableFuture<Void> on(ConsumerRecord<String, String> record) {
      return CompletableFuture.runAsync(() -> effects.one(record.value()), LATER);
    }
  }

  @Test
  void anAsynchronousListenerInAKafkaTransactionIsRefusedAtStart() {
    var producers =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    producers.setTransactionIdPrefix("refused-");
    try (SpringRun run =
        new SpringRun(broker)
            .containers(
                factory ->
                    factory
                        .getContainerProperties()
                        .setKafkaAwareTransactionManager(
                            new KafkaTransactionManager<>(producers)))) {
      assertThatThrownBy(() -> run.start(new ShapeBeans.OfRecordLater(run.effects())))
          .hasStackTraceContaining("was asynchronous in a Kafka transaction, must not be");
    }
  }

  @Test
  void offsetsThatTheClientCommitsByItselfAreRefusedAtStart() {
    try (SpringRun run =
        new SpringRun(broker).client(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, true)) {
      assertThatThrownBy(() -> run.start(new ShapeBeans.OfRecord(run.effects())))
          .hasStackTraceContaining("enable.auto.commit: was true");
    }
  }

  @Test
  void aListenerOfTopicsWithAndWithoutOptionsIsRefusedAtStart() {
    try (SpringRun run = new SpringRun(broker)) {
      assertThatThrownBy(() -> run.start(new HalfConfigured(run.effects())))
          .hasStackTraceContaining("none for [unknown]")
          .hasStackTraceContaining("must have them for all");
    }
  }

  record HalfConfigured(Effects effects) {
    @KafkaListener(
        id = ShapeBeans.ID,
        topics = {ShapeBeans.TOPIC, "unknown"})
    void on(String value) {
      effects.one(value);
    }
  }
}
