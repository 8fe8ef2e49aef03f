// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.Exchange;
import io.dedup.claim.Holder;
import io.dedup.claim.OnFailed;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claim, handler and completion in one transaction. */
class TransactionalExecutionTest {

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final FaultyStore inbox = new FaultyStore(transactions.inbox());
  private final Deduplicator dedup =
      world.opened(world.builder().transactional(inbox, transactions).build());
  private final Runs writing =
      Runs.doing(
          context -> {
            transactions.write("charge");
            return "receipt";
          });

  @AfterEach
  void close() {
    Thread.interrupted();
    world.close();
  }

  @Test
  void effectAndCompletionAreStoredTogether() {
    Outcome<String> outcome = dedup.execute(KEY, writing);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt", world.stored().token()));
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(transactions.effects()).containsExactly("charge");
    assertThat(world.store.sent()).isEmpty();
    assertThat(world.events.names()).containsExactly("Claimed", "HandlerEnded", "Decided");
  }

  @Test
  void beforeTheCommitNobodySeesAnything() {
    dedup.execute(
        KEY,
        context -> {
          transactions.write("charge");
          assertThat(world.memory.find(KEY)).isEmpty();
          assertThat(transactions.effects()).isEmpty();
          return "receipt";
        });
    assertThat(transactions.effects()).hasSize(1);
  }

  @Test
  void aDuplicateChangesNothingAndGetsTheAnswer() {
    for (int i = 0; i < 3; i++) {
      Outcome<String> outcome =
          dedup.execute(World.delivery(), writing, ResultCodec.text(), dedup.policy());
      assertThat(outcome.orElseThrow()).isEqualTo("receipt");
    }

    assertThat(writing.count()).isEqualTo(1);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void nothingCanBeLostWhileATransactionLasts() {
    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              world.clock.advance(Duration.ofHours(1));
              context.pointOfNoReturn();
              assertThat(context.leaseLost()).isFalse();
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aHandlerThatThrowsLeavesNoTraceAndTheNextDeliveryRuns() {
    IllegalStateException thrown = new IllegalStateException("no such account");

    assertThat(dedup.execute(KEY, throwing(thrown))).isEqualTo(new Outcome.Failed<>(thrown));

    assertNothingIsStored();
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.last().attempt()).isEqualTo(1);
  }

  @Test
  void anErrorIsThrownOnAfterTheRollback() {
    AssertionError error = new AssertionError("bug");

    assertThatThrownBy(() -> dedup.execute(KEY, throwing(error))).isSameAs(error);

    assertNothingIsStored();
  }

  @Test
  void anInterruptedHandlerIsRolledBackAndItsThreadStaysInterrupted() {
    assertThat(dedup.execute(KEY, throwing(new InterruptedException())))
        .isInstanceOf(Outcome.Failed.class);

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertNothingIsStored();
  }

  @Test
  void anAnswerThatCannotBeKeptRollsBack() {
    ResultCodec<String> refusing =
        new ResultCodec<>() {
          @Override
          public StoredResult encode(String value) {
            throw new IllegalStateException("not serializable");
          }

          @Override
          public String decode(StoredResult stored) {
            return null;
          }
        };

    assertThat(dedup.execute(World.delivery(), writing, refusing, dedup.policy()))
        .isInstanceOf(Outcome.Failed.class);
    assertNothingIsStored();
  }

  @Test
  void aFailureIsRememberedWhereSomebodyWillAskForIt() {
    Policy reporting = dedup.policy().with(p -> p.onFailed(OnFailed.REPORT));
    IllegalStateException thrown = new IllegalStateException("no such account");
    dedup.execute(World.delivery(), throwing(thrown), ResultCodec.none(), reporting);

    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(dedup.execute(World.delivery(), writing, ResultCodec.none(), reporting))
        .isEqualTo(new Outcome.FailedBefore<>(thrown.toString()));
    assertThat(transactions.effects()).isEmpty();
  }

  @Test
  void aBackOffIsKeptAfterTheRollback() {
    Policy patient = dedup.policy().with(p -> p.failedBackOff(Duration.ofMinutes(5)));
    dedup.execute(
        World.delivery(), throwing(new IllegalStateException()), ResultCodec.none(), patient);

    assertThat(dedup.execute(World.delivery(), writing, ResultCodec.none(), patient))
        .isInstanceOf(Outcome.InProgress.class);
    world.clock.advance(Duration.ofMinutes(5));
    assertThat(dedup.execute(World.delivery(), writing, ResultCodec.none(), patient))
        .isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aFailureTakesNothingFromWhoHasTheKeyByNow() {
    Policy reporting = dedup.policy().with(p -> p.onFailed(OnFailed.REPORT));

    Outcome<String> outcome =
        dedup.execute(
            World.delivery(),
            context -> {
              world.rivalStarts(KEY);
              throw new IllegalStateException();
            },
            ResultCodec.none(),
            reporting);

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  @Test
  void aFailureThatCannotBeRememberedIsAFailureStill() {
    Policy reporting = dedup.policy().with(p -> p.onFailed(OnFailed.REPORT));
    world.store.failAlways(s -> true, FaultyStore.unreachable());

    assertThat(
            dedup.execute(
                World.delivery(),
                throwing(new IllegalStateException()),
                ResultCodec.none(),
                reporting))
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aConflictAtTheCommitIsTriedAgainAsAWholeAndLeavesOneEffect() {
    transactions.nextCommit(MemoryTransactions.conflict());
    transactions.nextCommit(MemoryTransactions.conflict());

    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);

    assertThat(writing.count()).isEqualTo(3);
    assertThat(writing.last().attempt()).isEqualTo(1);
    assertThat(transactions.effects()).containsExactly("charge");
    assertThat(world.events.of(DedupEvent.Decided.class)).hasSize(1);
  }

  @Test
  void aConflictThatTheHandlerMeetsIsTriedAgainAndNoFailure() {
    Runs meeting =
        Runs.doing(
            context -> {
              transactions.write("charge");
              if (transactions.effects().isEmpty() && world.clock.elapsed().isZero()) {
                throw new TransactionConflict("40P01", null);
              }
              return "receipt";
            });

    assertThat(dedup.execute(KEY, meeting)).isInstanceOf(Outcome.Executed.class);
    assertThat(meeting.count()).isEqualTo(2);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  /** The other committed first: our writes are undone, and the second try finds the key done. */
  @Test
  void ofTwoTransactionsOneHasItsEffect() {
    MemoryTransactions others = new MemoryTransactions(world);
    Deduplicator other =
        world.opened(
            Deduplicator.builder(world.memory)
                .clock(world.clock)
                .transactional(others.inbox(), others)
                .build());

    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              transactions.write("charge");
              other.execute(
                  KEY,
                  c -> {
                    others.write("charge");
                    return "theirs";
                  });
              return "ours";
            });

    assertThat(outcome).isInstanceOf(Outcome.Duplicate.class);
    assertThat(transactions.effects()).isEmpty();
    assertThat(others.effects()).containsExactly("charge");
  }

  @Test
  void conflictsWithoutEndAreTroubleWithTheStore() {
    IntStream.range(0, 50).forEach(i -> transactions.nextCommit(MemoryTransactions.conflict()));

    assertThatThrownBy(() -> dedup.execute(KEY, writing))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("10 times")
        .hasCauseInstanceOf(TransactionConflict.class);

    assertThat(writing.count()).isEqualTo(10);
    assertThat(world.clock.elapsed()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(10));
    assertNothingIsStored();
  }

  @Test
  void anInterruptEndsTheTriesAndTheThreadStaysInterrupted() {
    transactions.nextCommit(
        store -> {
          Thread.currentThread().interrupt();
          throw new TransactionConflict("40001", null);
        });

    assertThatThrownBy(() -> dedup.execute(KEY, writing)).isInstanceOf(StoreUnavailable.class);

    assertThat(writing.count()).isEqualTo(1);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void aCommitThatWasStoredWithoutAnAnswerIsADuplicateLater() {
    transactions.nextCommit(MemoryTransactions.storedAndAnswerLost());

    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aCommitThatWasLostWithItsAnswerRunsAgain() {
    transactions.nextCommit(MemoryTransactions.answerLost());

    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aCommitThatIsRefusedIsTheHandlersFailure() {
    transactions.nextCommit(MemoryTransactions.refused());

    assertThat(dedup.execute(KEY, writing))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, o -> assertThat(o.cause()).hasMessage("deferred constraint"));

    assertNothingIsStored();
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
  }

  /**
   * No handler ran, so none has failed, and nothing is uncertain: the answer is not to be acted
   * upon, that is all.
   */
  @Test
  void aCommitThatFailsAfterNoHandlerRanIsTroubleWithTheStore() {
    dedup.execute(KEY, writing);

    transactions.nextCommit(MemoryTransactions.refused());
    assertThatThrownBy(() -> dedup.execute(KEY, writing)).isInstanceOf(StoreUnavailable.class);
    transactions.nextCommit(MemoryTransactions.answerLost());
    assertThatThrownBy(() -> dedup.execute(KEY, writing)).isInstanceOf(StoreUnavailable.class);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).isEmpty();
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void withoutATransactionNothingRuns() {
    transactions.noConnection(new IllegalStateException("pool is empty"));

    assertThatThrownBy(() -> dedup.execute(KEY, writing))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("no transaction could begin");

    assertThat(writing.count()).isZero();
    transactions.noConnection(null);
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
  }

  /** Many ports throw what the rollback threw, and what the handler threw is lost. */
  @Test
  void aRollbackThatFailsIsTroubleWithTheStoreAndNoFailureOfTheHandler() {
    transactions.failNextRollback(new IllegalStateException("connection reset"));

    assertThatThrownBy(() -> dedup.execute(KEY, throwing(new IllegalStateException())))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("the transaction broke");

    assertNothingIsStored();
  }

  @Test
  void aClaimWithoutAnAnswerRollsBackAndRunsNothing() {
    inbox.fail(Sent::asksForKeys, 2, FaultyStore.answerLost());

    assertThatThrownBy(() -> dedup.execute(KEY, writing)).isInstanceOf(StoreUnavailable.class);

    assertThat(writing.count()).isZero();
    assertNothingIsStored();
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aCompletionWithoutAnAnswerRollsBackAndTheNextDeliveryRuns() {
    inbox.fail(Sent::completes, 2, FaultyStore.answerLost());

    assertThatThrownBy(() -> dedup.execute(KEY, writing)).isInstanceOf(StoreUnavailable.class);

    assertNothingIsStored();
    assertThat(dedup.execute(KEY, writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aCompletionThatIsFencedRollsBack() {
    Holder rival = new Holder(State.PROCESSING, 7, "rival");
    inbox.fail(
        Sent::completes,
        1,
        (store, sent) ->
            new Exchange(
                world.clock.storeNow(), List.of(new SettleAnswer.Fenced(rival)), List.of()));

    assertThat(dedup.execute(KEY, writing)).isEqualTo(new Outcome.Fenced<>(null, rival));

    assertNothingIsStored();
  }

  @Test
  void troubleThatTheHandlerMeetsInAStoreIsNoFailure() {
    StoreUnavailable trouble = new StoreUnavailable("inner store", null);
    Policy reporting = dedup.policy().with(p -> p.onFailed(OnFailed.REPORT));

    assertThatThrownBy(
            () -> dedup.execute(World.delivery(), throwing(trouble), ResultCodec.none(), reporting))
        .isSameAs(trouble);

    assertNothingIsStored();
  }

  @Test
  void aKeyThatAnotherHasUnderALeaseIsInProgress() {
    world.rivalStarts(KEY);

    assertThat(dedup.execute(KEY, writing))
        .isEqualTo(new Outcome.InProgress<>("rival", World.LEASE));
    assertThat(writing.count()).isZero();
  }

  @Test
  void aProbeIsRefusedAndNotForgotten() {
    Policy probing = dedup.policy().with(p -> p.probe(key -> new EffectProbe.Finding.NotDone()));

    assertThatThrownBy(() -> dedup.execute(World.delivery(), writing, ResultCodec.none(), probing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("on-lease-expired: was PROBE");
    assertThat(writing.count()).isZero();
  }

  private void assertNothingIsStored() {
    assertThat(world.memory.find(KEY)).isEmpty();
    assertThat(transactions.effects()).isEmpty();
  }

  private Handler<String> throwing(Throwable e) {
    return context -> {
      transactions.write("charge");
      if (e instanceof Error error) {
        throw error;
      }
      throw (Exception) e;
    };
  }
}
