// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;

/** Partitions move between the members of a group while records are under way. */
class RebalancesTest {

  @RegisterExtension
  static final ServerExtension<KafkaServer> kafka =
      ServerExtension.own(
          () ->
              KafkaServer.start(
                  "group.min.session.timeout.ms=1000",
                  "group.consumer.min.heartbeat.interval.ms=100",
                  "group.consumer.heartbeat.interval.ms=100"));

  static SpringBroker broker;

  @BeforeAll
  static void connect() {
    broker = new SpringBroker(kafka.get());
  }

  @AfterAll
  static void disconnect() {
    broker.close();
  }

  /** How a group agrees on who reads what. */
  enum Protocol {
    EAGER(
        Map.of(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(RangeAssignor.class))),
    COOPERATIVE(
        Map.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            List.of(CooperativeStickyAssignor.class))),
    CONSUMER(Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer"));

    @SuppressWarnings("ImmutableEnumChecker") // A copy nobody changes.
    private final Map<String, Object> settings;

    Protocol(Map<String, Object> settings) {
      this.settings = settings;
    }
  }

  /** An application that is not started yet. */
  private static SpringRun member(Protocol protocol) {
    SpringRun run = new SpringRun(broker);
    protocol.settings.forEach(run::client);
    if (protocol != Protocol.CONSUMER) {
      run.client(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 100);
    }
    return run;
  }

  private static Collection<TopicPartition> partitions(SpringRun run) {
    return ((AbstractMessageListenerContainer<?, ?>) run.container()).getAssignedPartitions();
  }

  /** Sends on until both have a partition each, and have done something with it. */
  private static void untilBothWork(Traffic traffic, SpringRun first, SpringRun second) {
    traffic.until(
        "a partition for each",
        () -> partitions(first).size() == 1 && partitions(second).size() == 1);
    int before = second.effects().done().size();
    traffic.until("both at work", () -> second.effects().done().size() > before);
  }

  @ParameterizedTest
  @CsvSource({
    "COOPERATIVE, RECORD_MANUAL",
    "EAGER, LIST_OF_RECORDS_MANUAL",
    "EAGER, TRANSACTION_RECORD_BATCH",
    "EAGER, ASYNC_RECORD_MANUAL",
    "COOPERATIVE, LIST_OF_RECORDS_BATCH",
    "CONSUMER, RECORD_MANUAL_IMMEDIATE",
    "CONSUMER, POLLED_BATCH"
  })
  void aMemberThatJoinsAndLeavesAgainDoublesAndLosesNothing(
      Protocol protocol, ListenerShape shape) {
    try (SpringRun first = member(protocol).of(shape);
        SpringRun second = first.beside()) {
      Traffic traffic = new Traffic(first);
      traffic.until("the first at work", () -> !first.effects().done().isEmpty());
      second.of(shape);
      untilBothWork(traffic, first, second);
      traffic.some();
      second.container().stop();
      traffic.until("the first has all", () -> partitions(first).size() == 2);
      traffic.assertOnceAndInOrder();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EAGER, RECORD_MANUAL",
    "COOPERATIVE, RECORD_BATCH",
    "CONSUMER, RECORD_TIME",
    "EAGER, ASYNC_RECORD_MANUAL_IMMEDIATE"
  })
  void whatAMemberLeavesThatIsStoppedBetweenTwoRecordsIsNotHeldUpByItsClaims(
      Protocol protocol, ListenerShape shape) {
    try (SpringRun first =
            member(protocol)
                .containers(f -> f.getContainerProperties().setStopImmediate(true))
                .of(shape);
        SpringRun second = first.beside().of(shape)) {
      Traffic traffic = new Traffic(first);
      untilBothWork(traffic, first, second);
      traffic.some();
      first.container().stop();
      traffic.until("the second has all", () -> partitions(second).size() == 2);
      // Were one claim left behind, its key would be blocked for longer than this waits.
      traffic.assertOnceAndInOrder();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EAGER, RECORD_RECORD",
    "COOPERATIVE, LIST_OF_PAYLOADS_MANUAL_IMMEDIATE",
    "CONSUMER, RECORD_BATCH"
  })
  void aMemberThatIsStoppedAndStartedGoesOnAsOneOfTheGroup(Protocol protocol, ListenerShape shape) {
    try (SpringRun first = member(protocol).of(shape);
        SpringRun second = first.beside().of(shape)) {
      Traffic traffic = new Traffic(first);
      untilBothWork(traffic, first, second);
      first.container().stop();
      traffic.some();
      first.container().start();
      untilBothWork(traffic, second, first);
      traffic.assertOnceAndInOrder();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COOPERATIVE")
  void theConsumersOfOneContainerAreMembersToo(Protocol protocol) {
    try (SpringRun first =
            member(protocol).containers(f -> f.setConcurrency(2)).of(ListenerShape.RECORD_BATCH);
        SpringRun second = first.beside()) {
      Traffic traffic = new Traffic(first);
      traffic.until("the first at work", () -> !first.effects().done().isEmpty());
      second.of(ListenerShape.RECORD_BATCH);
      traffic.until("the second asked", () -> second.container().isRunning());
      first.container().stop();
      traffic.until("the second has all", () -> partitions(second).size() == 2);
      traffic.assertOnceAndInOrder();
    }
  }

  /** The listener has its effect, and does not come back for a while. */
  record Hanging(Effects effects, CountDownLatch hangs, CountDownLatch goesOn) {
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    void on(ConsumerRecord<String, String> record, Acknowledgment acknowledgment)
        throws InterruptedException {
      effects.one(record.value());
      if (record.value().endsWith(":hangs")) {
        hangs.countDown();
        if (!goesOn.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("nobody has let it go on");
        }
      }
      acknowledgment.acknowledge();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COOPERATIVE")
  void theEffectOfAMemberThatLostItsPartitionsMeanwhileCounts(Protocol protocol) throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (SpringRun first =
            member(protocol)
                .shaped(ListenerShape.RECORD_MANUAL)
                .client(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 1500)
                .lease(Duration.ofSeconds(1));
        SpringRun second = first.beside()) {
      first.start(new Hanging(first.effects(), hangs, goesOn));
      String hung = first.send(0, "hangs");
      broker.flush();
      assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();
      second.of(ListenerShape.RECORD_MANUAL);
      // It does not poll for longer than its group waits, so it is out.
      await().atMost(SpringRun.BOUND).until(() -> partitions(second).size() == 2);
      String other = first.send(1, "other");
      first.send(0, "behind");
      broker.flush();
      await().atMost(SpringRun.BOUND).until(() -> second.effects().done().contains(other));
      assertThat(second.effects().attempts(hung)).isZero();

      goesOn.countDown();
      first.awaitEnd();
      first.send(0, "hangs");
      first.awaitEnd();
      assertThat(first.effectsOfAll().done(0)).containsExactly(hung, "0:001:behind");
    }
  }

  @Test
  void aListenerThatHangsForTooLongLeavesItsRecordToAnother() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (SpringRun first =
            member(Protocol.EAGER)
                .shaped(ListenerShape.RECORD_BATCH)
                .client(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 1500)
                .lease(Duration.ofSeconds(1));
        SpringRun second = first.beside()) {
      first.start(new HangingForLong(first.effects(), hangs, goesOn));
      String hung = first.send(0, "hangs");
      String behind = first.send(0, "behind");
      broker.flush();
      assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();
      second.of(ListenerShape.RECORD_BATCH);
      first.awaitEnd();
      assertThat(second.effects().done())
          .as("once more, and no more")
          .containsExactly(hung, behind);

      goesOn.countDown();
      first.send(0, "hangs");
      first.send(1, "hangs");
      String last = first.send(1, "last");
      first.awaitEnd();
      assertThat(first.effectsOfAll().done()).containsExactly(hung, hung, behind, last);
    }
  }

  /** The same for a listener that does not acknowledge by itself. */
  record HangingForLong(Effects effects, CountDownLatch hangs, CountDownLatch goesOn) {
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    void on(ConsumerRecord<String, String> record) throws InterruptedException {
      new Hanging(effects, hangs, goesOn).on(record, () -> {});
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECORD_MANUAL", "LIST_OF_RECORDS_BATCH"})
  void aMemberWhosePlaceAnotherTookCommitsNothingAndDoublesNothing(ListenerShape shape) {
    try (SpringRun first =
            member(Protocol.EAGER)
                .client(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "the-one")
                .of(shape);
        SpringRun second = first.beside()) {
      Traffic traffic = new Traffic(first);
      traffic.until("the first at work", () -> !first.effects().done().isEmpty());
      second.of(shape);
      traffic.until("the second has all", () -> partitions(second).size() == 2);
      traffic.until("the first is out", () -> !first.container().isRunning());
      traffic.assertOnceAndInOrder();
    }
  }
}
