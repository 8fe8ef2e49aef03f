// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AdminReadsTest {

  /** Asks nobody here: nothing listens on port 1. */
  private static final Admin ADMIN = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));

  private final AdminReads reads = new AdminReads(ADMIN, Duration.ofSeconds(1));

  @AfterAll
  static void close() {
    ADMIN.close(Duration.ZERO);
  }

  private String failing(Exception answer) {
    KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
    future.completeExceptionally(answer);
    return reads.get(future, "topic orders: its id", "DESCRIBE on the topic");
  }

  @Test
  void aTopicThatIsJustBeingCreatedIsWaitedFor() {
    AtomicInteger tries = new AtomicInteger();
    String read =
        reads.untilKnown(
            () ->
                tries.incrementAndGet() < 3
                    ? failing(new UnknownTopicOrPartitionException())
                    : "id");
    assertThat(read).isEqualTo("id");
    assertThat(tries).hasValue(3);
  }

  @Test
  void aTopicThatDoesNotComeIsNamed() {
    AtomicInteger tries = new AtomicInteger();
    assertThatThrownBy(
            () ->
                reads.untilKnown(
                    () -> {
                      tries.incrementAndGet();
                      return failing(new UnknownTopicOrPartitionException());
                    }))
        .isInstanceOf(TopicReadException.class)
        .hasMessage("topic orders: its id: the topic does not exist");
    assertThat(tries).hasValue(AdminReads.TRIES);
  }

  @Test
  void nothingElseIsTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    assertThatThrownBy(
            () ->
                reads.untilKnown(
                    () -> {
                      tries.incrementAndGet();
                      return failing(new TopicAuthorizationException("no"));
                    }))
        .isInstanceOf(TopicReadException.class);
    assertThat(tries).hasValue(1);
  }

  @Test
  void anInterruptEndsTheWait() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> reads.untilKnown(() -> failing(new UnknownTopicOrPartitionException())))
        .isInstanceOf(TopicReadException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsNotAllowedIsToldWithWhatIsNeeded() {
    assertThatThrownBy(() -> failing(new ClusterAuthorizationException("no")))
        .isInstanceOf(TopicReadException.class)
        .hasMessage(
            "topic orders: its id: not allowed by Kafka, needs the ACL DESCRIBE on the topic");
  }

  @Test
  void aTimeOutOfTheClientIsToldAsOne() {
    assertThatThrownBy(() -> failing(new org.apache.kafka.common.errors.TimeoutException("late")))
        .hasMessage(
            "topic orders: its id: no answer from Kafka within PT1S, check bootstrap.servers");
  }

  @Test
  void anythingElseIsToldAsItCame() {
    assertThatThrownBy(() -> failing(new IllegalStateException("odd")))
        .hasMessageContaining("Kafka answered")
        .hasMessageContaining("odd");
  }
}
