// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static io.dedup.World.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims that are sent and not answered, or answered with nonsense. */
class LostClaimsTest {

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aClaimWhoseAnswerIsLostIsSentAgainAndRunsOnce() {
    world.store.fail(Sent::asksForKeys, 1, FaultyStore.answerLost());
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.count()).isEqualTo(1);
    assertThat(runs.last().attempt()).isEqualTo(1);
    assertThat(runs.last().takenOver()).isFalse();
    assertThat(world.clock.elapsed()).isZero();
    assertThat(claimIds()).hasSize(2).containsOnly(world.stored().claimId());
  }

  @Test
  void withoutAnAnswerNothingRunsAndTheNextCallGetsItsOwnClaimBackAtOnce() {
    loseNextClaim();
    Runs runs = Runs.answering("receipt");
    assertThat(runs.count()).isZero();

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
    assertThat(world.clock.elapsed()).isZero();
    assertThat(claimIds()).hasSize(3).containsOnly(world.stored().claimId());
  }

  @Test
  void aClaimThatNeverArrivedIsSentAgainByTheNextCall() {
    world.store.fail(Sent::asksForKeys, 2, FaultyStore.unreachable());
    assertThatThrownBy(() -> dedup.execute(KEY, Runs.answering("no")))
        .isInstanceOf(StoreUnavailable.class);
    assertThat(world.memory.find(KEY)).isEmpty();

    assertThat(dedup.execute(KEY, Runs.answering("receipt"))).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void anOldClaimThatComesBackIsRenewedBeforeItsHandlerStarts() {
    loseNextClaim();
    world.clock.advance(Duration.ofSeconds(25));
    Runs runs =
        Runs.doing(
            context -> {
              // Past the end that the claim had when its answer was lost.
              world.clock.advance(Duration.ofSeconds(20));
              assertThat(context.leaseLost()).isFalse();
              assertThat(world.rival().execute(KEY, Runs.failing()))
                  .isInstanceOf(Outcome.InProgress.class);
              return "receipt";
            });

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(world.store.settlementsSent())
        .hasExactlyElementsOfTypes(Settlement.Renew.class, Settlement.Complete.class);
  }

  @Test
  void aClaimWhoseLeaseEndedUnansweredIsNoTakeover() {
    loseNextClaim();
    world.clock.advance(LEASE.multipliedBy(3));
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void whoTookALostClaimOverAndCompletedIsBelieved() {
    loseNextClaim();
    world.clock.advance(LEASE);
    world.rivalCompletes(world.rivalStarts(KEY));
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isZero();
  }

  /**
   * Were the lost claim used for the other message, the first one would be a duplicate of what
   * never ran for it.
   */
  @Test
  void aLostClaimIsNotUsedForAnotherMessageWithItsKey() {
    Delivery first = World.delivery().withFingerprint(Fingerprint.raw(new byte[] {1}));
    Delivery other = World.delivery().withFingerprint(Fingerprint.raw(new byte[] {2}));
    loseNextClaim(first);
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(other, runs)).isInstanceOf(Outcome.Conflict.class);
    assertThat(runs.count()).isZero();
    assertThat(dedup.execute(first, runs)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aLostClaimIsNotUsedForAnotherRecordWithItsKey() {
    Delivery first = World.delivery().withOrigin(record(1));
    Delivery other = World.delivery().withOrigin(record(2));
    loseNextClaim(first);
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(other, runs)).isInstanceOf(Outcome.InProgress.class);
    assertThat(dedup.execute(first, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.count()).isEqualTo(1);
    assertThat(world.stored().origin()).isEqualTo(record(1));
  }

  @Test
  void aLostClaimIsNotUsedForADeliveryThatAsksForSomethingElse() {
    loseNextClaim();
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(World.delivery().asForced(), runs))
        .isInstanceOf(Outcome.InProgress.class);
    assertThat(dedup.execute(World.delivery().asIssuedOnly(), runs))
        .isInstanceOf(Outcome.InProgress.class);
    assertThat(dedup.execute(World.delivery(), runs)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void twoThreadsNeverShareALostClaim() throws Exception {
    loseNextClaim();
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch secondIsDone = new CountDownLatch(1);
    Runs runs =
        Runs.doing(
            context -> {
              inHandler.countDown();
              secondIsDone.await();
              return "receipt";
            });
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Outcome<String>> first = thread.submit(() -> dedup.execute(KEY, runs));
      inHandler.await();
      world.store.forgetSent();

      Outcome<String> second = dedup.execute(KEY, runs);

      assertThat(second).isEqualTo(new Outcome.InProgress<>("us", LEASE));
      assertThat(world.store.sent()).isEmpty();
      secondIsDone.countDown();
      assertThat(first.get()).isInstanceOf(Outcome.Executed.class);
      assertThat(runs.count()).isEqualTo(1);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void theStoreIsAskedForItsTimeFirstSoThatEachClaimSaysWhenItIsTooLate() {
    dedup.execute(KEY, Runs.answering("receipt"));

    assertThat(world.store.sent().get(0).asksForTime()).isTrue();
    Instant limit = world.clock.storeNow().plus(dedup.commandTimeout()).plus(LEASE);
    assertThat(world.store.sent().get(1).claims())
        .extracting(ClaimRequest::notAfter)
        .containsExactly(limit);
  }

  @Test
  void afterAQuietNightTheStoresTimeIsStillKnown() {
    dedup.execute(KEY, Runs.answering("receipt"));
    world.clock.advance(Duration.ofHours(9));
    world.store.forgetSent();

    dedup.execute(KEY, Runs.answering("receipt"));

    Instant limit = world.clock.storeNow().plus(dedup.commandTimeout()).plus(LEASE);
    assertThat(world.store.sent())
        .singleElement()
        .satisfies(sent -> assertThat(sent.claims().get(0).notAfter()).isEqualTo(limit));
  }

  @Test
  void withoutTheStoresTimeNothingIsClaimed() {
    world.store.fail(Sent::asksForTime, 1, FaultyStore.unreachable());
    Runs runs = Runs.answering("receipt");

    assertThatThrownBy(() -> dedup.execute(KEY, runs)).isInstanceOf(StoreUnavailable.class);

    assertThat(runs.count()).isZero();
    assertThat(world.store.sent()).hasSize(1);
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aClaimThatComesTooLateIsSentAgainWithABetterEstimate() {
    Duration tooLate = dedup.commandTimeout().plus(LEASE).plusMillis(1);
    world.store.fail(Sent::asksForKeys, 1, FaultyStore.arrivingLate(world.clock, tooLate));
    Runs runs = Runs.answering("receipt");

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.count()).isEqualTo(1);
    assertThat(claimIds()).hasSize(2).containsOnly(world.stored().claimId());
    assertThat(world.store.settlementsSent()).hasExactlyElementsOfTypes(Settlement.Complete.class);
  }

  @Test
  void claimsThatAlwaysComeTooLateAreTroubleAfterThreeOfThem() {
    Duration tooLate = dedup.commandTimeout().plus(LEASE).plusMillis(1);
    world.store.failAlways(Sent::asksForKeys, FaultyStore.arrivingLate(world.clock, tooLate));
    Runs runs = Runs.answering("receipt");

    assertThatThrownBy(() -> dedup.execute(KEY, runs))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("3 claims came too late");

    assertThat(runs.count()).isZero();
    assertThat(claimIds()).hasSize(3);
    assertThat(world.memory.find(KEY)).isEmpty();
  }

  /**
   * The process that sent it is long gone; its late copy finds the key done, and may not change
   * that.
   */
  @Test
  void aLateCopyOfAClaimThatHasSettledDoesNothing() {
    dedup.execute(KEY, Runs.answering("receipt"));
    List<ClaimRequest> copy = world.store.sent().get(1).claims();

    world.memory.claim(copy);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  static Stream<FaultyStore.Fault> nonsense() {
    return Stream.of(
        (store, sent) -> null,
        (store, sent) -> new Exchange(store.claim(sent.claims()).storeTime(), List.of(), List.of()),
        (store, sent) -> {
          Exchange answer = store.claim(sent.claims());
          return new Exchange(
              answer.storeTime(),
              List.of(),
              List.of(answer.claimed().get(0), answer.claimed().get(0)));
        },
        FaultyStore.throwing(new NullPointerException()),
        FaultyStore.throwing(new ClassCastException()),
        FaultyStore.corrupt());
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void whatIsNoAnswerIsTroubleAndRunsNothing(FaultyStore.Fault nonsense) {
    world.store.failAlways(Sent::asksForKeys, nonsense);
    Runs runs = Runs.answering("receipt");

    assertThatThrownBy(() -> dedup.execute(KEY, runs)).isInstanceOf(StoreException.class);
    assertThat(runs.count()).isZero();

    world.store.heal();
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  void aRecordThatCannotBeReadIsNotOverwritten() {
    world.store.failAlways(Sent::asksForKeys, FaultyStore.corrupt());

    assertThatThrownBy(() -> dedup.execute(KEY, Runs.answering("no")))
        .isInstanceOf(StoreCorrupt.class);

    assertThat(claimIds()).hasSize(1);
    assertThat(world.memory.find(KEY)).isEmpty();
  }

  private void loseNextClaim() {
    loseNextClaim(World.delivery());
  }

  private void loseNextClaim(Delivery delivery) {
    world.store.fail(Sent::asksForKeys, 2, FaultyStore.answerLost());
    Runs runs = Runs.failing();
    assertThatThrownBy(() -> dedup.execute(delivery, runs)).isInstanceOf(StoreUnavailable.class);
    assertThat(runs.count()).isZero();
    assertThat(world.state()).isEqualTo(State.PROCESSING);
  }

  private List<ClaimId> claimIds() {
    return world.store.sent().stream()
        .flatMap(sent -> sent.claims().stream())
        .map(ClaimRequest::claimId)
        .toList();
  }
}
