// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is promised of every form of listener. */
class GuardedShapesTest {

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
  @EnumSource
  void duplicatesHaveOneEffectWithinAPollAcrossPollsAndAcrossARestart(ListenerShape shape) {
    try (SpringRun run = SpringRun.of(broker, shape, UnaryOperator.identity())) {
      List<String> firsts = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        int partition = i % 2;
        String value = run.send(partition, "event-" + partition + "-" + i % 12);
        if (i < 12) {
          firsts.add(value);
        }
      }
      run.awaitEnd();
      assertEffects(run, firsts);

      int calls = run.effects().calls();
      for (int i = 0; i < 6; i++) {
        run.send(i % 2, "event-" + i % 2 + "-" + i);
      }
      run.awaitEnd();
      assertThat(run.effects().calls()).as("calls for duplicates alone").isEqualTo(calls);

      run.restartFromTheBeginning();
      firsts.add(run.send(0, "after the restart"));
      run.awaitEnd();
      assertEffects(run, firsts);
      assertThat(run.effects().emptyCalls()).as("calls with nothing").isZero();
      assertThat(run.effects().recovered()).isEmpty();
    }
  }

  /** Each partition's effects are its firsts, once and in order. */
  private static void assertEffects(SpringRun run, List<String> firsts) {
    for (int i = 0; i < SpringBroker.PARTITIONS; i++) {
      String prefix = i + ":";
      assertThat(run.effects().done(i))
          .containsExactlyElementsOf(firsts.stream().filter(v -> v.startsWith(prefix)).toList());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "(ASYNC|TRANSACTION_LIST)_.*")
  void aRecordThatFailsIsTriedAgainAndOneThatAlwaysFailsIsRecovered(ListenerShape shape) {
    try (SpringRun run = SpringRun.of(broker, shape, UnaryOperator.identity())) {
      run.effects().fail("0:001:twice", 2);
      run.effects().fail("0:003:always", 1000);
      String first = run.send(0, "first");
      String twice = run.send(0, "twice");
      String copy = run.send(0, "twice");
      String always = run.send(0, "always");
      String last = run.send(0, "last");
      run.send(0, "first");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, twice, last);
      assertThat(run.effects().attempts(twice)).isEqualTo(3);
      assertThat(run.effects().attempts(always)).isEqualTo(3);
      assertThat(run.effects().attempts(copy)).isZero();
      assertThat(run.effects().recovered()).containsExactly(always);

      String replay = run.send(0, "always");
      run.send(0, "twice");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, twice, last, replay);
      assertThat(run.effects().recovered()).containsExactly(always);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "TRANSACTION_LIST_.*")
  void aKeyInProgressElsewhereHoldsItsPartitionBackAndCostsNoAttempt(ListenerShape shape) {
    try (SpringRun run = SpringRun.of(broker, shape, UnaryOperator.identity())) {
      Claim elsewhere = claimElsewhere(run, "held");
      run.effects().fail("0:001:held", 2);
      List<String> waiting = List.of(run.send(0, "a"), run.send(0, "held"), run.send(0, "b"));
      List<String> others = List.of(run.send(1, "c"), run.send(1, "d"), run.send(1, "e"));
      broker.flush();
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done(1).size() == others.size());
      String late = run.send(1, "f");
      broker.flush();
      await().atMost(SpringRun.BOUND).until(() -> run.effects().done(1).contains(late));
      assertThat(run.effects().attempts(waiting.get(1))).isZero();
      assertThat(run.effects().attempts(waiting.get(2))).isZero();

      run.store().settle(List.of(new SettleRequest(elsewhere, new Settlement.Release())));
      run.awaitEnd();
      assertThat(run.effects().done(0)).containsExactlyElementsOf(waiting);
      assertThat(run.effects().done(1)).hasSize(4).doesNotHaveDuplicates();
      assertThat(run.effects().attempts(waiting.get(1))).isEqualTo(3);
      assertThat(run.effects().recovered()).isEmpty();
    }
  }

  private static Claim claimElsewhere(SpringRun run, String event) {
    ClaimRequest request =
        ClaimRequest.builder(run.key(event), "elsewhere", Duration.ofMinutes(5), Duration.ofDays(1))
            .build();
    ClaimAnswer.Acquired answer =
        (ClaimAnswer.Acquired) run.store().claim(List.of(request)).claimed().get(0);
    return request.claim(answer.token());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "(ASYNC|TRANSACTION_LIST)_.*")
  void aKeyThatStandsForAnotherMessageIsRecoveredAtOnce(ListenerShape shape) {
    try (SpringRun run =
        SpringRun.of(broker, shape, options -> options.fingerprint(Fingerprints.raw()))) {
      String first = run.send(0, "a");
      run.awaitEnd();
      String conflict = run.send(0, "a");
      String next = run.send(0, "b");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, next);
      assertThat(run.effects().attempts(conflict)).isZero();
      assertThat(run.effects().recovered()).containsExactly(conflict);
    }
  }

  /**
   * One at a time: with a record that was recovered, the container would never read again what it
   * had polled behind it, guarded or not. A batch of which one was recovered it takes for open.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "ASYNC_(RECORD|MONO)_.*")
  void anAsynchronousListenerThatThrowsIsTriedAgainAndThenRecovered(ListenerShape shape) {
    try (SpringRun run = SpringRun.of(broker, shape, UnaryOperator.identity())) {
      run.effects().fail("0:000:twice", 2);
      run.effects().fail("0:001:always", 3);
      String twice = run.send(0, "twice");
      run.awaitEnd();
      String always = run.send(0, "always");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(twice);
      assertThat(run.effects().recovered()).containsExactly(always);
      assertThat(run.effects().attempts(always)).isEqualTo(3);

      String replay = run.send(0, "always");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(twice, replay);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "ASYNC_(RECORD|MONO)_.*")
  void aRefusedRecordOfAnAsynchronousListenerIsRecoveredAtOnce(ListenerShape shape) {
    try (SpringRun run =
        SpringRun.of(broker, shape, options -> options.fingerprint(Fingerprints.raw()))) {
      String first = run.send(0, "a");
      run.awaitEnd();
      String conflict = run.send(0, "a");
      run.awaitEnd();
      String next = run.send(0, "b");
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, next);
      assertThat(run.effects().recovered()).containsExactly(conflict);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "TRANSACTION_LIST_.*")
  void whatWasRolledBackWithAFailedRecordOfABatchIsNotTakenForDone(ListenerShape shape) {
    try (SpringRun run = SpringRun.of(broker, shape, UnaryOperator.identity())) {
      run.container().stop();
      run.effects().fail("0:001:fails", 1);
      String first = run.send(0, "first");
      String fails = run.send(0, "fails");
      String last = run.send(0, "last");
      broker.flush();
      run.container().start();
      run.awaitEnd();
      assertThat(run.effects().done()).containsExactly(first, first, fails, last);
    }
  }
}
