// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static io.dedup.World.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Holder;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Origin;
import io.dedup.claim.State;
import io.dedup.claim.StoreException;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each outcome as it is reached through the front door, and what the store holds afterwards. */
class OutcomesTest {

  private static final Fingerprint ONE = Fingerprint.raw(new byte[] {1});
  private static final Fingerprint OTHER = Fingerprint.raw(new byte[] {2});

  private final World world = new World();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aNewKeyIsExecuted() {
    Outcome<String> outcome = world.dedup().execute(KEY, context -> "receipt");

    ClaimRecord stored = world.stored();
    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt", stored.token()));
    assertThat(stored.state()).isEqualTo(State.SUCCEEDED);
    assertThat(stored.owner()).isEqualTo("us");
    assertThat(stored.result()).isNull();
    assertThat(stored.expires()).isEqualTo(world.clock.storeNow().plus(TTL));
    assertThat(outcome.orElseThrow()).isEqualTo("receipt");
  }

  @Test
  void aKeyThatIsDoneIsADuplicate() {
    Deduplicator dedup = world.dedup();
    Origin first = World.record(1);
    dedup.execute(World.delivery().withOrigin(first), Runs.answering("receipt"));
    Instant done = world.clock.storeNow();
    world.clock.advance(Duration.ofDays(6));
    Runs again = Runs.answering("another receipt");

    Outcome<String> outcome = dedup.execute(World.delivery().withOrigin(World.record(2)), again);

    assertThat(outcome)
        .isEqualTo(new Outcome.Duplicate<>(null, DuplicateReason.OTHER_RECORD, first, done));
    assertThat(again.count()).isZero();
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(outcome.orElseThrow()).isNull();
  }

  @Test
  void aKeyIsForgottenAfterItsTtl() {
    Deduplicator dedup = world.dedup();
    dedup.execute(KEY, Runs.answering("first"));
    world.clock.advance(TTL);
    Runs again = Runs.answering("second");

    assertThat(dedup.execute(KEY, again).isDone()).isTrue();
    assertThat(again.count()).isEqualTo(1);
  }

  @Test
  void aKeyThatAnotherHasIsInProgress() {
    world.rivalStarts(KEY);
    world.clock.advance(Duration.ofSeconds(10));
    ClaimRecord before = world.stored();
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome = world.dedup().execute(KEY, runs);

    assertThat(outcome).isEqualTo(new Outcome.InProgress<>("rival", Duration.ofSeconds(20)));
    assertThat(runs.count()).isZero();
    assertThat(world.stored()).isEqualTo(before);
  }

  @Test
  void aKeyThatStandsForAnotherMessageIsAConflict() {
    Deduplicator dedup = world.dedup();
    dedup.execute(World.delivery().withFingerprint(ONE), Runs.answering("receipt"));
    ClaimRecord before = world.stored();
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome = dedup.execute(World.delivery().withFingerprint(OTHER), runs);

    assertThat(outcome).isEqualTo(new Outcome.Conflict<>(ONE, OTHER));
    assertThat(runs.count()).isZero();
    assertThat(world.stored()).isEqualTo(before);
  }

  @Test
  void aHandlerThatThrowsHasFailed() {
    IllegalStateException thrown = new IllegalStateException("no such account");

    Outcome<String> outcome =
        world
            .dedup()
            .execute(
                KEY,
                context -> {
                  throw thrown;
                });

    assertThat(outcome).isEqualTo(new Outcome.Failed<>(thrown));
    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(world.stored().error()).contains("no such account");
    assertThatThrownBy(outcome::orElseThrow).isInstanceOf(EffectNotDone.class).hasCause(thrown);
  }

  @Test
  void aFailureIsReportedWhereThePolicySaysSo() {
    Deduplicator dedup = world.dedup(p -> p.onFailed(OnFailed.REPORT));
    dedup.execute(KEY, Runs.failing());
    Runs again = Runs.answering("receipt");

    Outcome<String> outcome = dedup.execute(KEY, again);

    assertThat(outcome)
        .isEqualTo(new Outcome.FailedBefore<>("java.lang.IllegalStateException: no such account"));
    assertThat(again.count()).isZero();
    assertThat(world.state()).isEqualTo(State.FAILED);
  }

  @Test
  void aFailureIsForgottenAfterItsOwnTtl() {
    Deduplicator dedup =
        world.dedup(p -> p.onFailed(OnFailed.REPORT).failedTtl(Duration.ofHours(1)));
    dedup.execute(KEY, Runs.failing());
    world.clock.advance(Duration.ofHours(1));

    assertThat(dedup.execute(KEY, Runs.answering("receipt")).isDone()).isTrue();
  }

  @Test
  void aKeyWhoseWorkersVanishTooOftenIsUsedUp() {
    world.workerVanishes(KEY);
    world.workerVanishes(KEY);
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome = world.dedup(p -> p.maxAttempts(2)).execute(KEY, runs);

    assertThat(outcome).isEqualTo(new Outcome.AttemptsUsedUp<>(2));
    assertThat(runs.count()).isZero();
    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(world.stored().error()).isEqualTo("attempts used up: 2");
  }

  @Test
  void aLostWorkersKeyIsInDoubtWhereThePolicySaysSo() {
    Claim lost = world.rivalStarts(KEY);
    world.clock.advance(LEASE);
    Instant leaseEnd = world.clock.storeNow();
    world.clock.advance(Duration.ofSeconds(1));
    ClaimRecord before = world.stored();
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome =
        world.dedup(p -> p.onLeaseExpired(OnLeaseExpired.HOLD)).execute(KEY, runs);

    assertThat(outcome).isEqualTo(new Outcome.InDoubt<>("rival", lost.token(), leaseEnd));
    assertThat(runs.count()).isZero();
    assertThat(world.stored()).isEqualTo(before);
  }

  @Test
  void aKeyThatWasNotHandedOutIsRefused() {
    Runs runs = Runs.answering("receipt");

    Outcome<String> outcome = world.dedup().execute(World.delivery().asIssuedOnly(), runs);

    assertThat(outcome).isEqualTo(new Outcome.NotIssued<>());
    assertThat(runs.count()).isZero();
    assertThat(world.memory.find(KEY)).isEmpty();
  }

  @Test
  void aRunWhoseKeyAnotherGotMeanwhileIsFenced() {
    AtomicReference<Claim> rival = new AtomicReference<>();

    Outcome<String> outcome =
        world
            .dedup()
            .execute(
                KEY,
                context -> {
                  world.clock.advance(LEASE);
                  rival.set(world.rivalStarts(KEY));
                  return "too late";
                });

    Holder current = new Holder(State.PROCESSING, rival.get().token(), "rival");
    assertThat(outcome).isEqualTo(new Outcome.Fenced<>("too late", current));
    assertThat(world.stored().claimId()).isEqualTo(rival.get().id());
    assertThat(world.state()).isEqualTo(State.PROCESSING);
  }

  @Test
  void aRunWhoseCompletionIsNotStoredIsIndeterminate() {
    world.store.failAlways(FaultyStore.Sent::completes, FaultyStore.unreachable());

    Outcome<String> outcome = world.dedup().execute(KEY, context -> "receipt");

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Indeterminate.class,
            o -> {
              assertThat(o.value()).isEqualTo("receipt");
              assertThat(o.cause()).isInstanceOf(StoreException.class);
            });
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThatThrownBy(outcome::orElseThrow)
        .isInstanceOf(EffectNotDone.class)
        .hasCauseInstanceOf(StoreException.class);
  }

  @Test
  void troubleWithTheStoreIsNoOutcomeAndNoRun() {
    world.store.failAlways(FaultyStore.Sent::asksForKeys, FaultyStore.corrupt());
    Runs runs = Runs.answering("receipt");
    Deduplicator dedup = world.dedup();

    assertThatThrownBy(() -> dedup.execute(KEY, runs)).isInstanceOf(StoreException.class);
    assertThat(runs.count()).isZero();
  }

  static Stream<Outcome<String>> doneOutcomes() {
    return Stream.of(
        new Outcome.Executed<>("v", 1),
        new Outcome.Duplicate<>("v", DuplicateReason.REDELIVERY, Origin.none(), Instant.EPOCH));
  }

  static Stream<Outcome<String>> otherOutcomes() {
    return Stream.of(
        new Outcome.InProgress<>("rival", LEASE),
        new Outcome.Conflict<>(ONE, OTHER),
        new Outcome.Failed<>(new IllegalStateException()),
        new Outcome.FailedBefore<>("error"),
        new Outcome.AttemptsUsedUp<>(10),
        new Outcome.InDoubt<>("rival", 1, Instant.EPOCH),
        new Outcome.NotIssued<>(),
        new Outcome.Fenced<>("secret answer", Holder.nobody()),
        new Outcome.Indeterminate<>("secret answer", new IllegalStateException()));
  }

  static Stream<Outcome<String>> allOutcomes() {
    return Stream.concat(doneOutcomes(), otherOutcomes());
  }

  @ParameterizedTest
  @MethodSource("doneOutcomes")
  void onlyExecutedAndDuplicateAreDone(Outcome<String> outcome) {
    assertThat(outcome.isDone()).isTrue();
    assertThat(outcome.orElseThrow()).isEqualTo("v");
  }

  @ParameterizedTest
  @MethodSource("otherOutcomes")
  void noOtherOutcomeIsDoneOrHasAnAnswerToReturn(Outcome<String> outcome) {
    assertThat(outcome.isDone()).isFalse();
    EffectNotDone thrown = catchThrowableOfType(EffectNotDone.class, outcome::orElseThrow);
    assertThat(thrown.outcome()).isSameAs(outcome);
    assertThat(thrown).hasMessageContaining(outcome.getClass().getSimpleName());
    assertThat(thrown).hasMessageNotContaining("secret answer");
  }

  @ParameterizedTest
  @MethodSource("allOutcomes")
  void eachOutcomeIsFoldedByItsOwnCase(Outcome<String> outcome) {
    assertThat(outcome.fold(new NamesOfCases<String>()))
        .isEqualTo(outcome.getClass().getSimpleName());
  }
}
