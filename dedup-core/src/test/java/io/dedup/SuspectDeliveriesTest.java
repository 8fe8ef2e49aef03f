// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.Exchange;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Origin;
import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In a transaction a crash leaves no trace, so what may have caused one is claimed beforehand. */
class SuspectDeliveriesTest {

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final FaultyStore inbox = new FaultyStore(transactions.inbox());
  private final Deduplicator dedup =
      world.opened(
          world.builder().policy(p -> p.maxAttempts(3)).transactional(inbox, transactions).build());
  private final Delivery suspect = World.delivery().asSuspect();
  private final Runs writing =
      Runs.doing(
          context -> {
            transactions.write("charge");
            return "receipt";
          });

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void itsStartIsStoredBeforeItsHandlerRuns() {
    Outcome<String> outcome =
        dedup.execute(
            suspect,
            context -> {
              assertThat(world.state()).isEqualTo(State.PROCESSING);
              assertThat(world.stored().attempts()).isEqualTo(1);
              transactions.write("charge");
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void itIsTriedAgainAfterACrashAndKnowsOfIt() {
    world.workerVanishes(KEY);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last()).isEqualTo(new Runs.Run(world.stored().token(), 2, true));
  }

  @Test
  void itEndsWhenItHasEndedTooManyProcesses() {
    for (int i = 0; i < 3; i++) {
      world.workerVanishes(KEY);
    }

    assertThat(dedup.execute(suspect, writing)).isEqualTo(new Outcome.AttemptsUsedUp<>(3));
    assertThat(writing.count()).isZero();
    assertThat(world.state()).isEqualTo(State.FAILED);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last().attempt()).isEqualTo(1);
  }

  /** Whatever a process does that is about to end, nothing of it arrives. */
  @Test
  void itsAttemptsAreCountedAcrossTheProcessesThatItEnds() {
    Error crash = new LinkageError("the process ends here");
    for (int i = 1; i <= 3; i++) {
      int attempt = i;
      Deduplicator process =
          world.opened(world.builder().transactional(inbox, transactions).build());
      assertThatThrownBy(
              () ->
                  process.execute(
                      suspect,
                      context -> {
                        assertThat(context.attempt()).isEqualTo(attempt);
                        transactions.write("charge");
                        world.store.failAlways(sent -> true, FaultyStore.unreachable());
                        throw crash;
                      }))
          .isSameAs(crash);
      world.store.heal();
      world.clock.advance(LEASE);
    }

    assertThat(dedup.execute(suspect, writing)).isEqualTo(new Outcome.AttemptsUsedUp<>(3));
    assertThat(transactions.effects()).isEmpty();
  }

  @Test
  void aDoneOneCostsNoTransaction() {
    dedup.execute(suspect, writing);
    transactions.noConnection(new IllegalStateException("pool is empty"));

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void itsFailureSetsItsAttemptsBackAndTheNextDeliveryRunsAtOnce() {
    world.workerVanishes(KEY);
    world.workerVanishes(KEY);

    assertThat(dedup.execute(suspect, Runs.failing())).isInstanceOf(Outcome.Failed.class);

    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last().attempt()).isEqualTo(1);
  }

  @Test
  void aConflictIsTriedAgainUnderTheSameClaim() {
    transactions.nextCommit(MemoryTransactions.conflict());

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);

    assertThat(writing.count()).isEqualTo(2);
    assertThat(writing.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void withoutATransactionItsClaimIsThereForTheNextCallAndNoAttemptIsSpent() {
    transactions.noConnection(new IllegalStateException("pool is empty"));
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> dedup.execute(suspect, writing))
          .isInstanceOf(StoreUnavailable.class);
      world.clock.advance(LEASE);
    }
    transactions.noConnection(null);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void whoeverTookItOverBeforeTheTransactionBeganKeepsIt() {
    inbox.fail(
        Sent::asksForKeys,
        1,
        FaultyStore.first(
            () -> {
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
            }));

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.InProgress.class);
    assertThat(writing.count()).isZero();
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  @Test
  void whoeverTookItOverDuringTheTransactionKeepsItAndTheEffectIsUndone() {
    Outcome<String> outcome =
        dedup.execute(
            suspect,
            context -> {
              transactions.write("charge");
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
    assertThat(transactions.effects()).isEmpty();
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  @Test
  void aCommitLostWithItsAnswerIsRunAgainWhenItsLeaseIsOver() {
    transactions.nextCommit(MemoryTransactions.answerLost());
    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.InProgress.class);
    world.clock.advance(LEASE);
    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aCommitStoredWithoutAnAnswerIsADuplicateAtOnce() {
    transactions.nextCommit(MemoryTransactions.storedAndAnswerLost());
    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void whoeverIsInTheWayOfItsTransactionDoesNotMakeItWaitForItsOwnClaim() {
    inbox.fail(
        Sent::asksForKeys,
        1,
        (store, sent) -> {
          ClaimAnswer busy = new ClaimAnswer.InProgress("", Duration.ofMillis(100), Origin.none());
          return new Exchange(world.clock.storeNow(), List.of(), List.of(busy));
        });
    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.InProgress.class);

    assertThat(dedup.execute(suspect, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last().attempt()).isEqualTo(1);
  }

  @Test
  void aCrashOfItLeavesNoDoubtSinceItsTransactionIsRolledBack() {
    Policy holding = dedup.policy().with(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
    Error crash = new LinkageError("the process ends here");
    Deduplicator process = world.opened(world.builder().transactional(inbox, transactions).build());
    assertThatThrownBy(
            () ->
                process.execute(
                    suspect,
                    context -> {
                      transactions.write("charge");
                      world.store.failAlways(sent -> true, FaultyStore.unreachable());
                      throw crash;
                    },
                    ResultCodec.none(),
                    holding))
        .isSameAs(crash);
    world.store.heal();
    world.clock.advance(LEASE);

    assertThat(dedup.execute(suspect, writing, ResultCodec.none(), holding))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last()).isEqualTo(new Runs.Run(world.stored().token(), 2, true));
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aWorkerThatWasLostUnderALeaseIsStillInDoubt() {
    Policy holding = dedup.policy().with(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
    world.workerVanishes(KEY);

    assertThat(dedup.execute(suspect, writing, ResultCodec.none(), holding))
        .isInstanceOf(Outcome.InDoubt.class);
    assertThat(writing.count()).isZero();
  }

  @Test
  void withALeaseASuspectDeliveryIsLikeAnyOther() {
    assertThat(world.dedup().execute(suspect, writingWithoutTransaction()))
        .isInstanceOf(Outcome.Executed.class);
  }

  private static Handler<String> writingWithoutTransaction() {
    return context -> "receipt";
  }
}
