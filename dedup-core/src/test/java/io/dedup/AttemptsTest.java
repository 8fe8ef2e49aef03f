// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.OnFailed;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A message that ends its process each time must come to an end itself. */
class AttemptsTest {

  private final World world = new World();
  private final Deduplicator dedup = world.dedup(p -> p.maxAttempts(3));
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void theLastAttemptIsMade() {
    vanish(2);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last().attempt()).isEqualTo(3);
  }

  @Test
  void afterTheLastAttemptNothingRunsAndTheKeyHasFailed() {
    vanish(3);

    assertThat(dedup.execute(KEY, runs)).isEqualTo(new Outcome.AttemptsUsedUp<>(3));
    assertThat(runs.count()).isZero();
    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(world.events.names()).containsExactly("Decided");
  }

  @Test
  void aReplayOfWhatWasUsedUpRunsAsTheFirstOfItsRow() {
    vanish(3);
    dedup.execute(KEY, runs);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    // Those that vanished may have done it, and nobody has found out.
    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, true));
  }

  @Test
  void whatWasUsedUpIsReportedAsFailedWhereThePolicySaysSo() {
    Deduplicator reporting = world.dedup(p -> p.maxAttempts(3).onFailed(OnFailed.REPORT));
    vanish(3);
    reporting.execute(KEY, runs);

    assertThat(reporting.execute(KEY, runs))
        .isEqualTo(new Outcome.FailedBefore<>("attempts used up: 3"));
  }

  @Test
  void aFailureInBetweenSetsTheCountBack() {
    vanish(2);
    assertThat(dedup.execute(KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);
    vanish(2);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last().attempt()).isEqualTo(3);
  }

  @Test
  void aReleaseInBetweenSetsTheCountBack() {
    vanish(2);
    world.rivalSettles(world.rivalStarts(KEY), new Settlement.Release());

    dedup.execute(KEY, runs);

    assertThat(runs.last().attempt()).isEqualTo(1);
  }

  @Test
  void aReopeningSetsTheCountBack() {
    vanish(3);
    world.memory.reopen(KEY, "ann", "fixed the parser");

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last().attempt()).isEqualTo(1);
  }

  /** Otherwise a slow store would make a dead letter of what another is working on. */
  @Test
  void aClaimThatIsLostByTheTimeItIsAnsweredUsesNothingUp() {
    vanish(3);
    world.store.fail(
        FaultyStore.Sent::asksForKeys,
        1,
        FaultyStore.then(
            () -> {
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
            }));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);
    assertThat(world.state()).isEqualTo(State.PROCESSING);
  }

  private void vanish(int times) {
    for (int i = 0; i < times; i++) {
      world.workerVanishes(KEY);
    }
  }
}
