// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static io.dedup.World.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.EffectProbe.Finding;
import io.dedup.claim.Claim;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker is lost between its start and its settlement: is its effect done? */
class LostWorkersTest {

  private static final StoredResult RECEIPT = ResultCodec.text().encode("receipt 9");

  private final World world = new World();
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    Thread.interrupted();
    world.close();
  }

  @Test
  void untilTheLeaseIsOverTheWorkerIsNotLost() {
    world.rivalStarts(KEY);
    world.clock.advance(LEASE.minusMillis(1));

    assertThat(world.dedup().execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);
    assertThat(holding().execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);
    assertThat(probing(new Finding.NotDone()).execute(KEY, runs))
        .isInstanceOf(Outcome.InProgress.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void byDefaultTheNextDeliveryRunsAndIsToldOfTheTakeover() {
    world.workerVanishes(KEY);

    assertThat(world.dedup().execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 2, true));
  }

  @Test
  void aLostWorkerThatComesBackCompletesIfNobodyTookOver() {
    Claim lost = world.rivalStarts(KEY);
    world.clock.advance(LEASE);
    holding().execute(KEY, runs);

    world.rivalCompletes(lost);

    assertThat(holding().execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aKeyInDoubtWaitsForAnOperatorWhoFindsItsEffectDone() {
    world.workerVanishes(KEY);
    Outcome.InDoubt<String> doubt = (Outcome.InDoubt<String>) hold();
    world.clock.advance(Duration.ofHours(5));
    assertThat(hold()).isEqualTo(doubt);

    assertThat(resolve(doubt, new Resolution.Done(RECEIPT, TTL)))
        .isEqualTo(new SettleAnswer.Applied());

    assertThat(hold())
        .isInstanceOfSatisfying(
            Outcome.Duplicate.class, o -> assertThat(o.value()).isEqualTo("receipt 9"));
    assertThat(runs.count()).isZero();
  }

  @Test
  void aKeyInDoubtRunsOnceAnOperatorFindsItsEffectNotDone() {
    world.workerVanishes(KEY);
    Outcome.InDoubt<String> doubt = (Outcome.InDoubt<String>) hold();

    resolve(doubt, new Resolution.NotDone());

    assertThat(hold()).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void anEffectThatTheProbeFindsDoneIsADuplicateAndIsKept() {
    world.workerVanishes(KEY);
    Delivery delivery = World.delivery().withOrigin(World.record(8));

    Outcome<String> outcome = execute(probing(new Finding.Done(RECEIPT)), delivery);

    assertThat(outcome)
        .isEqualTo(
            new Outcome.Duplicate<>(
                "receipt 9", DuplicateReason.PROBED, World.record(8), world.clock.storeNow()));
    assertThat(runs.count()).isZero();
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(execute(world.dedup(), delivery).orElseThrow()).isEqualTo("receipt 9");
  }

  @Test
  void anEffectThatTheProbeFindsNotDoneRuns() {
    world.workerVanishes(KEY);

    assertThat(probing(new Finding.NotDone()).execute(KEY, runs))
        .isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last().takenOver()).isTrue();
  }

  @Test
  void nobodyIsAskedAboutAKeyThatNobodyLost() {
    Deduplicator dedup = asking();

    assertThat(dedup.execute(KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aProbeThatCannotTellLeavesTheKeyInDoubtAndIsAskedAgainAfterALease() {
    world.workerVanishes(KEY);
    Deduplicator dedup = asking(new IllegalStateException("bank is down"), new Finding.Done(null));

    assertThat(dedup.execute(KEY, runs))
        .isEqualTo(new Outcome.InDoubt<>("us", world.stored().token(), world.clock.storeNow()));
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);
    world.clock.advance(LEASE);
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void aKeyInDoubtForItsProbeCanBeResolvedByItsToken() {
    world.workerVanishes(KEY);
    Outcome<String> doubt = asking(new IllegalStateException("bank is down")).execute(KEY, runs);
    world.clock.advance(LEASE);

    assertThat(resolve((Outcome.InDoubt<String>) doubt, new Resolution.Done(null, TTL)))
        .isEqualTo(new SettleAnswer.Applied());
  }

  @Test
  void aProbeThatAnswersNothingCannotTell() {
    world.workerVanishes(KEY);
    Deduplicator dedup = world.dedup(p -> p.probe(key -> null));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void anInterruptedProbeCannotTellAndItsThreadStaysInterrupted() {
    world.workerVanishes(KEY);
    Deduplicator dedup = asking(new InterruptedException());

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  /** What is done is a duplicate, and no dead letter. */
  @Test
  void theProbeIsAskedBeforeAttemptsAreCounted() {
    world.workerVanishes(KEY);
    world.workerVanishes(KEY);
    Deduplicator dedup = world.dedup(p -> p.maxAttempts(1).probe(key -> new Finding.Done(null)));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void aProbeThatTakesLongerThanTheLeaseStartsNothingThatAnotherHas() {
    world.workerVanishes(KEY);
    Deduplicator dedup =
        world.dedup(
            p ->
                p.probe(
                    key -> {
                      world.clock.advance(LEASE);
                      world.rivalStarts(KEY);
                      return new Finding.NotDone();
                    }));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);
    assertThat(runs.count()).isZero();
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  @Test
  void aFindingThatCannotBeStoredIsIndeterminate() {
    world.workerVanishes(KEY);
    world.store.failAlways(FaultyStore.Sent::completes, FaultyStore.unreachable());

    assertThat(probing(new Finding.Done(null)).execute(KEY, runs))
        .isInstanceOf(Outcome.Indeterminate.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void aFindingThatTheCodecCannotReadIsKeptAllTheSame() {
    world.workerVanishes(KEY);
    Deduplicator dedup = probing(new Finding.Done(RECEIPT));

    assertThatThrownBy(() -> dedup.execute(World.delivery(), runs, unreadable(), dedup.policy()))
        .isInstanceOf(StoreCorrupt.class);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(execute(world.dedup(), World.delivery()).orElseThrow()).isEqualTo("receipt 9");
  }

  private Deduplicator holding() {
    return world.dedup(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
  }

  private Deduplicator probing(Finding finding) {
    return world.dedup(p -> p.probe(key -> finding));
  }

  /** A probe that answers or throws these in turn, and may not be asked more often. */
  private Deduplicator asking(Object... inTurn) {
    Deque<Object> next = new ArrayDeque<>(List.of(inTurn));
    return world.dedup(
        p ->
            p.probe(
                key -> {
                  Object answer = next.pop();
                  if (answer instanceof Exception e) {
                    throw e;
                  }
                  return (Finding) answer;
                }));
  }

  private Outcome<String> hold() {
    return execute(holding(), World.delivery());
  }

  private Outcome<String> execute(Deduplicator dedup, Delivery delivery) {
    return dedup.execute(delivery, runs, ResultCodec.text(), dedup.policy());
  }

  private SettleAnswer resolve(Outcome.InDoubt<String> doubt, Resolution resolution) {
    return world.memory.resolve(KEY, doubt.token(), resolution, "ann", "asked the bank");
  }

  static ResultCodec<String> unreadable() {
    return new ResultCodec<>() {
      @Override
      public StoredResult encode(String value) {
        return ResultCodec.text().encode(value);
      }

      @Override
      public String decode(StoredResult stored) {
        throw new IllegalArgumentException("not mine");
      }
    };
  }
}
