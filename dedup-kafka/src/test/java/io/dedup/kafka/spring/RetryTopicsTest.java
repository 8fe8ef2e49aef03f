// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.State;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.adapter.KafkaBackoffAwareMessageListenerAdapter;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Copies in retry topics are the messages that they are copies of. */
class RetryTopicsTest {

  private static final Executor LATER = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  @Test
  void copiesKeepTheKeyOfTheirOriginalAndDeadLettersLeaveItToAReplay() {
    try (SpringBroker broker = new SpringBroker(kafka.get());
        SpringRun run = new SpringRun(broker)) {
      run.effects().fail("0:000:retried", 1);
      run.effects().fail("0:001:dead", 1000);
      run.effects().fail("0:004:dead", 1000);
      String retried = run.send(0, "retried");
      String dead = run.send(0, "dead");
      run.start(new Retrying(run.effects()), RetryTopics.class);
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done().contains(retried));
      await().atMost(SpringRun.BOUND).until(() -> run.effects().recovered().contains(dead));
      run.awaitEnd();
      assertThat(run.store().find(run.key("retried")).map(ClaimRecord::state))
          .contains(State.SUCCEEDED);
      assertThat(run.store().find(run.key("dead")).map(ClaimRecord::state)).contains(State.FAILED);
      assertThat(run.effects().attempts(dead)).isEqualTo(2);

      run.send(0, "retried");
      run.send(0, "retried");
      String deadAgain = run.send(0, "dead");
      run.awaitEnd();
      await().atMost(SpringRun.BOUND).until(() -> run.effects().recovered().contains(deadAgain));
      String replay = run.send(0, "dead");
      run.send(0, "dead");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(retried, replay);
      assertThat(run.effects().recovered()).containsExactly(dead, deadAgain);
    }
  }

  record Retrying(Effects effects) {
    @RetryableTopic(
        attempts = "2",
        backOff = @BackOff(delay = 50),
        numPartitions = "1",
        replicationFactor = "1")
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    void on(String value) {
      effects.one(value);
    }

    @DltHandler
    void dead(String value) {
      effects.recover(value);
    }
  }

  /**
   * The container sends failed values back by itself, if the class of its listener is the one it
   * looks for: GuardedRecordListener.
   */
  @Test
  void aValueThatFailsGoesThroughTheRetryTopicAndHasItsEffectOnce() {
    try (SpringBroker broker = new SpringBroker(kafka.get());
        SpringRun run = new SpringRun(broker)) {
      run.effects().fail("0:000:retried", 1);
      run.effects().fail("0:001:dead", 1000);
      String retried = run.send(0, "retried");
      String dead = run.send(0, "dead");
      run.start(new RetryingLater(run.effects()), RetryTopics.class);
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done().contains(retried));
      await().atMost(SpringRun.BOUND).until(() -> run.effects().recovered().contains(dead));
      await().atMost(SpringRun.BOUND).until(() -> state(run, "retried") == State.SUCCEEDED);
      assertThat(state(run, "dead")).isEqualTo(State.FAILED);
      run.send(0, "retried");
      String replay = run.send(0, "dead");
      run.awaitEnd();
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done().contains(replay));
      assertThat(run.effects().done()).containsExactly(retried, replay);
      assertThat(run.effects().recovered()).containsExactly(dead);
    }
  }

  private static State state(SpringRun run, String event) {
    return run.store().find(run.key(event)).map(ClaimRecord::state).orElse(State.ISSUED);
  }

  record RetryingLater(Effects effects) {
    @RetryableTopic(
        attempts = "2",
        backOff = @BackOff(delay = 50),
        numPartitions = "1",
        replicationFactor = "1")
    @KafkaListener(id = ShapeBeans.ID, topics = ShapeBeans.TOPIC)
    CompletableFuture<Void> on(String value) {
      return CompletableFuture.runAsync(() -> effects.one(value), LATER);
    }

    @DltHandler
    void dead(String value) {
      effects.recover(value);
    }
  }

  @Test
  void aCopyInARetryTopicOfAMessageThatIsDoneIsSkippedAndOneOfAMessageThatIsNotRuns() {
    try (SpringBroker broker = new SpringBroker(kafka.get());
        SpringRun run = new SpringRun(broker)) {
      run.start(new Retrying(run.effects()), RetryTopics.class);
      String done = run.send(0, "done");
      run.awaitEnd();
      broker.sendCopy(run.topic() + "-retry", run.topic(), 0, "done", "copy of done");
      broker.sendCopy(run.topic() + "-retry", run.topic(), 1, "open", "copy of open");
      broker.flush();
      await()
          .atMost(SpringRun.BOUND)
          .until(() -> broker.committed(run.id() + "-retry", run.topic() + "-retry") == 2);
      assertThat(run.effects().done()).containsExactly(done, "copy of open");
    }
  }

  @Test
  void theBackOffOfRetryTopicsComesBeforeTheClaim() {
    try (SpringBroker broker = new SpringBroker(kafka.get());
        SpringRun run = new SpringRun(broker)) {
      run.start(new Retrying(run.effects()), RetryTopics.class);
      List<Object> listeners =
          run.containers().stream()
              .map(c -> c.getContainerProperties().getMessageListener())
              .toList();
      assertThat(listeners)
          .as("the back-off around the guard; GuardedListenerEndpointRegistry guards before it")
          .filteredOn(KafkaBackoffAwareMessageListenerAdapter.class::isInstance)
          .extracting(
              one -> ((KafkaBackoffAwareMessageListenerAdapter<?, ?>) one).getDelegate().getClass())
          .asInstanceOf(InstanceOfAssertFactories.LIST)
          .contains(GuardedRecordListener.class);
    }
  }

  @Configuration
  @EnableKafkaRetryTopic
  static class RetryTopics {

    @Bean
    KafkaAdmin kafkaAdmin(SpringRun run) {
      return new KafkaAdmin(Map.of("bootstrap.servers", run.bootstrapServers()));
    }

    @Bean
    KafkaTemplate<String, String> kafkaTemplate(SpringRun run) {
      return new KafkaTemplate<>(
          new DefaultKafkaProducerFactory<>(
              Map.of("bootstrap.servers", run.bootstrapServers()),
              new StringSerializer(),
              new StringSerializer()));
    }

    @Bean
    TaskScheduler taskScheduler() {
      return new ThreadPoolTaskScheduler();
    }
  }
}
