// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static io.dedup.World.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.Claim;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The effect is done, and the store is in trouble. */
class CompletionTest {

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    // Clears the flag that some of these tests set, so that it does not reach the next one.
    Thread.interrupted();
    world.close();
  }

  @Test
  void aCompletionWhoseAnswerIsLostIsSentAgain() {
    world.store.fail(Sent::completes, 1, FaultyStore.answerLost());

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  void aCompletionIsTriedAgainWhileTheLeaseLasts() {
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());
    world.clock.after(Duration.ofSeconds(28), world.store::heal);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertOnlyCompletionsWereSent();
    // Two each second, and a few more in the first one.
    assertThat(world.store.sent()).hasSizeBetween(56, 70);
  }

  @Test
  void aCompletionThatCannotBeStoredIsIndeterminateAndNeitherFailedNorReleased() {
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());

    Outcome<String> outcome = dedup.execute(KEY, runs);

    assertThat(outcome).isInstanceOf(Outcome.Indeterminate.class);
    assertThat(world.clock.elapsed()).isBetween(LEASE, LEASE.plusSeconds(2));
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertOnlyCompletionsWereSent();
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
  }

  @Test
  void afterAnIndeterminateRunTheLeaseRulesDecide() {
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());
    dedup.execute(KEY, runs);
    world.store.heal();

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last().attempt()).isEqualTo(2);
    assertThat(runs.last().takenOver()).isTrue();
  }

  @Test
  void aCompletionOfWhichNoAnswerEverCameIsADuplicateLater() {
    world.store.failAlways(Sent::completes, FaultyStore.answerLost());
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Indeterminate.class);
    world.store.heal();

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isEqualTo(1);
  }

  static Stream<FaultyStore.Fault> troubleThatDoesNotPass() {
    return Stream.of(
        FaultyStore.corrupt(),
        (store, sent) -> null,
        (store, sent) -> new Exchange(Instant.EPOCH, List.of(), List.of()));
  }

  @ParameterizedTest
  @MethodSource("troubleThatDoesNotPass")
  void troubleThatDoesNotPassIsIndeterminateAtOnce(FaultyStore.Fault trouble) {
    world.store.failAlways(Sent::completes, trouble);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(world.clock.elapsed()).isZero();
    assertOnlyCompletionsWereSent();
  }

  @Test
  void aStoreThatThrowsWhatItMustNotMakesNoOtherOutcomeOfADoneEffect() {
    world.store.failAlways(Sent::completes, FaultyStore.throwing(new IllegalArgumentException()));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertOnlyCompletionsWereSent();
  }

  @Test
  void aCompletionAfterTheLeaseCountsIfNobodyTookOver() {
    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              world.clock.advance(LEASE.multipliedBy(2));
              assertThat(context.leaseLost()).isTrue();
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void aStaleWorkersCompletionDoesNotOverwriteTheNewerOne() {
    AtomicReference<ClaimRecord> newer = new AtomicReference<>();

    Outcome<String> outcome =
        dedup.execute(
            World.delivery(),
            context -> {
              world.clock.advance(LEASE);
              world
                  .rival()
                  .execute(World.delivery(), c -> "new", ResultCodec.text(), dedup.policy());
              newer.set(world.stored());
              return "old";
            },
            ResultCodec.text(),
            dedup.policy());

    assertThat(outcome).isInstanceOf(Outcome.Fenced.class);
    assertThat(world.stored()).isEqualTo(newer.get());
    assertThat(ResultCodec.text().decode(world.stored().result())).isEqualTo("new");
  }

  @Test
  void aStaleWorkersFailureTakesNothingFromTheNewerOne() {
    AtomicReference<Claim> rival = new AtomicReference<>();

    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              world.clock.advance(LEASE);
              rival.set(world.rivalStarts(KEY));
              throw new IllegalStateException();
            });

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(world.rivalSettles(rival.get(), new Settlement.Complete(null, TTL)))
        .isEqualTo(new SettleAnswer.Applied());
  }

  /** A rival that takes over between two tries of a completion. */
  @Test
  void aCompletionThatIsOvertakenWhileItIsTriedIsFenced() {
    world.store.fail(
        Sent::completes,
        2,
        (store, sent) -> {
          world.clock.advance(LEASE.dividedBy(2).minusMillis(1));
          return FaultyStore.unreachable().exchange(store, sent);
        });
    world.clock.after(LEASE, () -> world.rivalStarts(KEY));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Fenced.class);
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  @Test
  void anInterruptDoesNotCostTheCompletionOfWhatIsDone() {
    world.store.failAlways(Sent::completes, FaultyStore.refusedIfInterrupted());

    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              Thread.currentThread().interrupt();
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(world.events.of(DedupEvent.StoreFailed.class)).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void anInterruptedThreadDoesNotWaitToTryACompletionAgain() {
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());
    world.clock.after(Duration.ofSeconds(3), () -> Thread.currentThread().interrupt());

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(world.clock.elapsed()).isLessThan(Duration.ofSeconds(5));
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertOnlyCompletionsWereSent();
  }

  private void assertOnlyCompletionsWereSent() {
    assertThat(world.store.settlementsSent())
        .isNotEmpty()
        .hasOnlyElementsOfType(Settlement.Complete.class);
  }
}
