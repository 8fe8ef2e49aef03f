// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.OnFailed;
import io.dedup.claim.State;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claim, handler and completion in the transaction of the caller. */
class JoinedExecutionTest {

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final Deduplicator dedup =
      world.opened(world.builder().transactional(transactions.inbox(), transactions).build());
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
  void effectAndCompletionAreStoredWhenTheCallersTransactionCommits() {
    transactions.begin();
    transactions.write("order");
    assertThat(joined(writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(world.memory.find(KEY)).isEmpty();

    transactions.commit();

    assertThat(transactions.effects()).containsExactly("order", "charge");
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void nothingIsStoredWhenTheCallerRollsBackAndTheNextCallRuns() {
    transactions.begin();
    joined(writing);
    transactions.rollback();

    assertThat(world.memory.find(KEY)).isEmpty();
    assertThat(joined(writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aSecondCallInTheSameTransactionIsADuplicate() {
    transactions.begin();
    joined(writing);
    Outcome<String> second = joined(writing);
    transactions.commit();

    assertThat(second).isInstanceOf(Outcome.Duplicate.class);
    assertThat(second.orElseThrow()).isEqualTo("receipt");
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void aFailureDoomsTheCallersTransactionWhoeverSwallowsIt() {
    transactions.begin();
    Outcome<String> outcome = joined(failing());
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);

    assertThatThrownBy(transactions::commit).isInstanceOf(IllegalStateException.class);
    assertThat(transactions.effects()).isEmpty();
    assertThat(world.memory.find(KEY)).isEmpty();
  }

  @Test
  void aFailureThatIsToBeReportedIsRememberedAfterTheRollback() {
    UnaryOperator<Policy.Builder> report = p -> p.onFailed(OnFailed.REPORT);
    transactions.begin();
    joined(failing(), report);
    assertThat(world.memory.find(KEY)).isEmpty();
    transactions.rollback();

    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(joined(writing, report)).isInstanceOf(Outcome.FailedBefore.class);
  }

  @Test
  void aConflictIsTheCallersWhoAloneCanTryAgain() {
    Runs conflicting =
        Runs.doing(
            context -> {
              throw new TransactionConflict("40001", null);
            });
    transactions.begin();
    assertThatThrownBy(() -> joined(conflicting)).isInstanceOf(TransactionConflict.class);
    transactions.rollback();

    assertThat(conflicting.count()).isEqualTo(1);
  }

  @Test
  void withoutATransactionOneIsBegun() {
    assertThat(joined(writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void underALeaseNothingIsDifferent() {
    Deduplicator lease = world.dedup();
    Outcome<String> outcome =
        lease.executeJoined(World.delivery(), answering(), ResultCodec.text(), lease.policy());

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
    assertThat(lease.isTransactional()).isFalse();
    assertThat(dedup.isTransactional()).isTrue();
  }

  @Test
  void failuresThatAreNotRememberedGiveTheKeyBack() {
    UnaryOperator<Policy.Builder> some =
        p ->
            p.onFailed(OnFailed.REPORT)
                .failedBackOff(Duration.ofHours(1))
                .remembered(IllegalArgumentException.class::isInstance);
    Deduplicator lease = world.dedup(some);

    lease.execute(KEY, failing());
    assertThat(world.state()).isEqualTo(State.RELEASED);
    lease.execute(
        KEY,
        context -> {
          throw new IllegalArgumentException("no such account");
        });

    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(lease.execute(KEY, answering())).isNotInstanceOf(Outcome.Executed.class);
  }

  private static Handler<String> answering() {
    return context -> "receipt";
  }

  private static Handler<String> failing() {
    return context -> {
      throw new IllegalStateException("declined");
    };
  }

  private Outcome<String> joined(Handler<String> handler) {
    return joined(handler, p -> p);
  }

  private Outcome<String> joined(Handler<String> handler, UnaryOperator<Policy.Builder> changes) {
    return dedup.executeJoined(
        World.delivery(), handler, ResultCodec.text(), dedup.policy().with(changes));
  }
}
