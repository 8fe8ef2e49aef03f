// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A call within a transaction of its caller: what its handler did is done when that has committed,
 * and not before.
 */
class AfterCommitTest {

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final Deduplicator dedup =
      world.opened(world.builder().afterCommitOf(transactions).build());
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void theCompletionIsStoredAfterTheCommitAndNotBefore() {
    transactions.begin();
    Outcome<String> outcome = dedup.execute(KEY, runs);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt", world.stored().token()));
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    transactions.commit();
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(world.store.settlementsSent()).hasOnlyElementsOfType(Settlement.Complete.class);
  }

  @Test
  void withoutATransactionTheCompletionIsStoredAtOnce() {
    dedup.execute(KEY, runs);

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void aTransactionOfTheHandlersOwnIsNotWaitedFor() {
    dedup.execute(
        KEY,
        context ->
            transactions.inTransaction(
                () -> {
                  transactions.write("charge");
                  return "receipt";
                }));

    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void aRollbackGivesTheKeyBackAndTheNextDeliveryRuns() {
    transactions.begin();
    dedup.execute(KEY, runs);
    transactions.rollback();

    assertThat(world.state()).isEqualTo(State.RELEASED);
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void aCommitWithoutAnAnswerIsNeitherDoneNorGivenBack() {
    transactions.begin();
    transactions.nextCommit(MemoryTransactions.answerLost());
    dedup.execute(KEY, runs);

    assertThatThrownBy(transactions::commit).isInstanceOf(CommitIndeterminate.class);

    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.store.settlementsSent()).isEmpty();
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
  }

  @Test
  void aHandlerThatThrowsFailsAtOnce() {
    transactions.begin();
    dedup.execute(KEY, Runs.failing());

    assertThat(world.state()).isEqualTo(State.FAILED);
    transactions.rollback();
    assertThat(world.state()).isEqualTo(State.FAILED);
  }

  @Test
  void othersWaitForTheTransaction() {
    transactions.begin();
    dedup.execute(KEY, runs);

    assertThat(world.rival().execute(KEY, Runs.failing())).isInstanceOf(Outcome.InProgress.class);
    transactions.commit();
    assertThat(world.rival().execute(KEY, Runs.failing())).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void theSameTransactionDoesNotWaitForItself() {
    transactions.begin();
    dedup.execute(KEY, runs);

    Outcome<String> again =
        World.execute(dedup, p -> p.inProgressWait(Duration.ofMinutes(1)), runs);

    assertThat(again).isInstanceOf(Outcome.InProgress.class);
    assertThat(world.clock.elapsed()).isZero();
    transactions.commit();
    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  void theLeaseIsRenewedUntilTheTransactionEnds() {
    HandDrivenLeases leases = new HandDrivenLeases(world, Policy.defaults(), transactions);
    transactions.begin();
    leases.execute(KEY, runs);
    for (int i = 0; i < 9; i++) {
      world.clock.advance(LEASE.dividedBy(3));
      leases.renewDue();
    }
    assertThat(world.stored().busyUntil()).isEqualTo(world.clock.storeNow().plus(LEASE));
    transactions.commit();
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);

    world.store.forgetSent();
    world.clock.advance(LEASE);
    leases.renewDue();
    assertThat(world.store.sent()).isEmpty();
  }

  @Test
  void aTransactionThatCommitsAfterATakeoverIsReported() {
    transactions.begin();
    dedup.execute(KEY, runs);
    world.clock.advance(LEASE);
    world.rivalStarts(KEY);

    transactions.commit();

    assertThat(world.stored().owner()).isEqualTo("rival");
    assertThat(world.events.of(DedupEvent.LeaseTaken.class))
        .singleElement()
        .satisfies(e -> assertThat(e.current().owner()).isEqualTo("rival"));
  }

  @Test
  void aTakeoverThatIsKnownBeforeTheCommitIsReportedOnce() {
    HandDrivenLeases leases = new HandDrivenLeases(world, Policy.defaults(), transactions);
    transactions.begin();
    leases.execute(KEY, runs);
    world.clock.advance(LEASE);
    world.rivalStarts(KEY);
    leases.renewDue();
    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).hasSize(1);

    transactions.commit();

    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).hasSize(1);
  }

  @Test
  void aCompletionThatCannotBeStoredAfterTheCommitIsReported() {
    world.store.failAlways(FaultyStore.Sent::completes, FaultyStore.unreachable());
    transactions.begin();
    dedup.execute(KEY, runs);

    transactions.commit();

    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
  }

  /** The effect's transaction is there, and nobody will tell how it ends. */
  @Test
  void aPortThatCannotTellTheEndOfTheTransactionMakesItIndeterminate() {
    Deduplicator broken =
        world.opened(world.builder().afterCommitOf(new DeafTransactions()).build());

    assertThat(broken.execute(KEY, runs)).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.store.settlementsSent()).isEmpty();
  }

  private static final class DeafTransactions implements Transactions {
    @Override
    public <T> T inTransaction(Work<T> work) throws Exception {
      return work.run();
    }

    @Override
    public <T> T inSavepoint(Work<T> work) throws Exception {
      return work.run();
    }

    @Override
    public boolean isActive() {
      return true;
    }

    @Override
    public void afterCompletion(Consumer<Completion> listener) {
      throw new IllegalStateException("synchronization is not active");
    }
  }
}
