// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.OnFailed;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandlerFailuresTest {

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();

  @AfterEach
  void close() {
    // Clears the flag that some of these tests set, so that it does not reach the next one.
    Thread.interrupted();
    world.close();
  }

  @Test
  void afterAFailureTheNextDeliveryRunsAtOnceAsTheFirstOfItsRow() {
    dedup.execute(KEY, Runs.failing());
    Runs again = Runs.answering("receipt");

    assertThat(world.rival().execute(KEY, again)).isInstanceOf(Outcome.Executed.class);

    assertThat(again.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
    assertThat(world.clock.elapsed()).isZero();
  }

  @Test
  void aCheckedExceptionIsTheCauseAsItIs() {
    IOException thrown = new IOException("disk");

    assertThat(dedup.execute(KEY, throwing(thrown))).isEqualTo(new Outcome.Failed<>(thrown));
  }

  @Test
  void anErrorIsThrownOnAfterTheFailureIsStored() {
    AssertionError error = new AssertionError("bug");

    assertThatThrownBy(() -> dedup.execute(KEY, throwing(error))).isSameAs(error);

    assertThat(world.state()).isEqualTo(State.FAILED);
    assertThat(dedup.execute(KEY, Runs.answering("receipt"))).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void anInterruptedHandlerHasFailedAndItsThreadStaysInterrupted() {
    world.store.failAlways(
        s -> s.settles(Settlement.Fail.class), FaultyStore.refusedIfInterrupted());

    Outcome<String> outcome = dedup.execute(KEY, throwing(new InterruptedException()));

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(world.state()).isEqualTo(State.FAILED);
  }

  /** What a handler does that wraps the exception, as it must not throw checked ones. */
  @Test
  void aHandlerThatLeavesTheFlagSetHasItsFailureStored() {
    world.store.failAlways(
        s -> s.settles(Settlement.Fail.class), FaultyStore.refusedIfInterrupted());

    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              Thread.currentThread().interrupt();
              throw new IllegalStateException(new InterruptedException());
            });

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(world.state()).isEqualTo(State.FAILED);
  }

  @Test
  void aFailureThatCannotBeStoredIsAFailureStillAndTheLeaseEndsByItself() {
    world.store.failAlways(s -> s.settles(Settlement.Fail.class), FaultyStore.unreachable());

    assertThat(dedup.execute(KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);
    assertThat(world.clock.elapsed()).isZero();
    Runs again = Runs.answering("receipt");
    assertThat(dedup.execute(KEY, again)).isInstanceOf(Outcome.InProgress.class);
    world.clock.advance(LEASE);
    assertThat(dedup.execute(KEY, again)).isInstanceOf(Outcome.Executed.class);
    assertThat(again.last().attempt()).isEqualTo(2);
  }

  @Test
  void nobodyTriesAgainDuringTheBackOff() {
    Deduplicator patient = world.dedup(p -> p.failedBackOff(Duration.ofMinutes(5)));
    patient.execute(KEY, Runs.failing());
    world.clock.advance(Duration.ofMinutes(4));
    Runs again = Runs.answering("receipt");

    assertThat(patient.execute(KEY, again))
        .isEqualTo(new Outcome.InProgress<>("us", Duration.ofMinutes(1)));
    world.clock.advance(Duration.ofMinutes(1));
    assertThat(patient.execute(KEY, again)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aLongErrorIsKeptInPart() {
    dedup.execute(KEY, throwing(new IllegalStateException("x".repeat(2_000))));

    assertThat(world.stored().error())
        .startsWith("java.lang.IllegalStateException: xxx")
        .hasSize(Settlement.Fail.ERROR_MAX);
  }

  @Test
  void troubleWithAStoreIsNoFailureOfTheHandlerThatMetIt() {
    StoreUnavailable trouble = new StoreUnavailable("inner store", null);
    Deduplicator reporting = world.dedup(p -> p.onFailed(OnFailed.REPORT));

    assertThatThrownBy(() -> reporting.execute(KEY, throwing(trouble))).isSameAs(trouble);

    assertThat(world.state()).isEqualTo(State.RELEASED);
    Runs again = Runs.answering("receipt");
    assertThat(reporting.execute(KEY, again)).isInstanceOf(Outcome.Executed.class);
    assertThat(again.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void aPointOfNoReturnWithoutAnAnswerIsTroubleAndNoFailure() {
    world.store.failAlways(Sent::renews, FaultyStore.unreachable());
    AtomicReference<String> effect = new AtomicReference<>("none");

    assertThatThrownBy(
            () ->
                dedup.execute(
                    KEY,
                    context -> {
                      context.pointOfNoReturn();
                      effect.set("done");
                      return "receipt";
                    }))
        .isInstanceOf(StoreUnavailable.class);

    assertThat(effect.get()).isEqualTo("none");
    assertThat(world.state()).isEqualTo(State.RELEASED);
  }

  @Test
  void whoFindsTheLeaseLostAtThePointOfNoReturnIsFencedAndHasNotFailed() {
    AtomicReference<String> effect = new AtomicReference<>("none");

    Outcome<String> outcome =
        dedup.execute(
            KEY,
            context -> {
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
              context.pointOfNoReturn();
              effect.set("done");
              return "receipt";
            });

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Fenced.class, o -> assertThat(o.current().owner()).isEqualTo("rival"));
    assertThat(effect.get()).isEqualTo("none");
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).hasSize(1);
  }

  @Test
  void aCommitWhoseAnswerTheHandlerLostIsNeitherDoneNorFailed() {
    CommitIndeterminate lost = new CommitIndeterminate("connection reset", null);

    Outcome<String> outcome = dedup.execute(KEY, throwing(lost));

    assertThat(outcome).isEqualTo(new Outcome.Indeterminate<>(null, lost));
    assertThat(world.state()).isEqualTo(State.PROCESSING);
    assertThat(world.store.settlementsSent()).isEmpty();
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
  }

  @Test
  void aHandlerThatThrowsAtEachDeliveryNeverUsesItsAttemptsUp() {
    for (int i = 0; i < 25; i++) {
      assertThat(dedup.execute(KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);
    }
    assertThat(world.store.sent().stream().filter(Sent::asksForKeys)).hasSize(25);
  }

  private static Handler<String> throwing(Throwable e) {
    return context -> {
      if (e instanceof Error error) {
        throw error;
      }
      throw (Exception) e;
    };
  }
}
