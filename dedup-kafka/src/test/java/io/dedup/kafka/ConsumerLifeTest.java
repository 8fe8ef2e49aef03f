// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static io.dedup.kafka.Bench.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimRequest;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a consumer starts, ends, and shares its one thread. */
class ConsumerLifeTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private Bench bench;

  @BeforeEach
  void setUp() {
    bench = new Bench(kafka.get(), 2);
  }

  @AfterEach
  void tearDown() throws Exception {
    mayEnd.countDown();
    bench.close();
  }

  private IdempotentConsumer.Builder<byte[], String> waitingConsumer() {
    return bench
        .consumer()
        .handler(
            (record, context) -> {
              begun.countDown();
              mayEnd.await();
              bench.effect(record, context);
            });
  }

  @Test
  void closingWaitsForTheRecordInHandWhoeverRunsTheConsumer() throws Exception {
    bench.publish(0, "a", "a");
    var consumer = waitingConsumer().build();
    Thread runner = new Thread(consumer::run);
    runner.start();
    begun.await();
    AtomicInteger doneWhenClosed = new AtomicInteger(-1);
    Thread closer =
        new Thread(
            () -> {
              consumer.close();
              doneWhenClosed.set(bench.effects.size());
            });
    closer.start();
    awaitUntil(
        () ->
            EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED)
                .contains(closer.getState()));
    mayEnd.countDown();
    closer.join();
    runner.join();
    assertThat(doneWhenClosed).hasValue(1);
    assertThat(bench.committed(bench.group)).isEqualTo(Map.of(0, 1L));
  }

  @Test
  void closingWaitsNoLongerThanItsTimeOutForAHandlerThatHangs() throws Exception {
    bench.publish(0, "a", "a");
    var consumer = waitingConsumer().closeTimeout(Duration.ofMillis(50)).build();
    consumer.start();
    begun.await();
    Thread closer = new Thread(consumer::close);
    closer.start();
    awaitUntil(() -> !closer.isAlive());
    assertThat(bench.effects).isEmpty();
    mayEnd.countDown();
    awaitUntil(() -> consumer.status().state() == ConsumerStatus.State.ENDED);
    assertThat(bench.effects).as("it goes on to its end").containsExactly("a");
  }

  @Test
  void aConsumerIsStartedOnce() {
    var consumer = bench.started(bench.consumer().build());
    assertThatThrownBy(consumer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(bench.group);
    assertThatThrownBy(consumer::run).isInstanceOf(IllegalStateException.class);
    bench.publish(0, "a", "a");
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("a");
  }

  @Test
  void anInterruptEndsTheConsumerAfterTheRecordInHandAndCommitsWhatIsDone() throws Exception {
    for (int i = 0; i < 5; i++) {
      bench.publish(0, "id-" + i, "v" + i);
    }
    var consumer =
        bench
            .consumer()
            .handler(
                (record, context) -> {
                  bench.effect(record, context);
                  if (bench.effects.size() == 2) {
                    Thread.currentThread().interrupt();
                  }
                })
            .build();
    assertThatThrownBy(consumer::run).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).as("whoever interrupted it can see that").isTrue();
    assertThat(bench.effects).containsExactly("v0", "v1");
    assertThat(bench.committed(bench.group)).isEqualTo(Map.of(0, 2L));
    assertThat(consumer.status().state()).isEqualTo(ConsumerStatus.State.ENDED);
  }

  @Test
  void aBusyKeyIsWaitedForByItsPartitionThoughThePolicyLetsThreadsWait() throws Exception {
    ClaimRequest rival =
        ClaimRequest.builder(bench.key("a"), "rival", Duration.ofMinutes(5), Duration.ofDays(1))
            .build();
    bench.store.claim(List.of(rival));
    bench.publish(0, "a", "a");
    bench.publish(1, "b", "b");
    try (Deduplicator patient =
        Deduplicator.builder(bench.store)
            .policy(p -> p.inProgressWait(Duration.ofHours(1)))
            .build()) {
      try (var consumer = bench.consumer().deduplicator(patient).build()) {
        consumer.start();
        awaitUntil(() -> bench.committed(bench.group).equals(Map.of(1, 1L)));
        assertThat(bench.effects).containsExactly("b");
      }
    }
  }
}
