// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for another who has the key. */
class InProgressWaitTest {

  private static final Duration WAIT = Duration.ofSeconds(10);

  private final World world = new World();
  private final Deduplicator dedup = world.dedup(p -> p.inProgressWait(WAIT));
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    Thread.interrupted();
    world.close();
  }

  @Test
  void whoeverWaitsLearnsThatTheOtherHasDoneIt() {
    Claim rival = world.rivalStarts(KEY);
    world.clock.after(Duration.ofSeconds(4), () -> world.rivalCompletes(rival));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);

    assertThat(runs.count()).isZero();
    assertThat(world.clock.elapsed()).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4_200));
  }

  @Test
  void whoeverWaitsRunsWhatTheOtherFailedAt() {
    Claim rival = world.rivalStarts(KEY);
    Settlement failure = new Settlement.Fail("no", World.TTL, Duration.ZERO);
    world.clock.after(Duration.ofSeconds(4), () -> world.rivalSettles(rival, failure));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void whoeverWaitsTakesOverFromALostWorker() {
    world.rivalStarts(KEY);
    world.clock.advance(LEASE.minusSeconds(3));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.last().takenOver()).isTrue();
  }

  @Test
  void whoeverWaitsGivesUpAtTheEndOfTheWaitAndTouchesNothing() {
    Claim rival = world.rivalStarts(KEY);

    assertThat(dedup.execute(KEY, runs))
        .isEqualTo(new Outcome.InProgress<>("rival", LEASE.minus(WAIT)));

    assertThat(world.clock.elapsed()).isEqualTo(WAIT);
    world.rivalCompletes(rival);
  }

  @Test
  void withoutAWaitTheAnswerComesAtOnce() {
    world.rivalStarts(KEY);

    assertThat(world.dedup().execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);

    assertThat(world.clock.elapsed()).isZero();
  }

  @Test
  void anInterruptEndsTheWaitAndTheThreadStaysInterrupted() {
    world.rivalStarts(KEY);
    world.clock.after(Duration.ofSeconds(2), () -> Thread.currentThread().interrupt());

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.InProgress.class);

    assertThat(world.clock.elapsed()).isLessThan(Duration.ofSeconds(3));
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void troubleDuringTheWaitIsTrouble() {
    world.rivalStarts(KEY);
    world.clock.after(
        Duration.ofSeconds(2), () -> world.store.failAlways(s -> true, FaultyStore.unreachable()));

    assertThatThrownBy(() -> dedup.execute(KEY, runs)).isInstanceOf(StoreUnavailable.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void closingEndsTheWaitAndRunsNothing() {
    world.rivalStarts(KEY);
    world.clock.after(Duration.ofSeconds(2), dedup::close);
    world.clock.after(Duration.ofSeconds(2), () -> world.memory.forget(KEY));

    assertThatThrownBy(() -> dedup.execute(KEY, runs)).isInstanceOf(StoreUnavailable.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  void aHandlerThatAsksForItsOwnKeyDoesNotWaitForItself() {
    AtomicReference<Outcome<String>> inner = new AtomicReference<>();

    Outcome<String> outer =
        dedup.execute(
            KEY,
            context -> {
              inner.set(dedup.execute(KEY, runs));
              return "receipt";
            });

    assertThat(inner.get()).isInstanceOf(Outcome.InProgress.class);
    assertThat(outer).isInstanceOf(Outcome.Executed.class);
    assertThat(runs.count()).isZero();
    assertThat(world.clock.elapsed()).isZero();
  }

  @Test
  void aSecondThreadOfThisProcessIsToldSoWithoutAskingTheStore() throws Exception {
    Deduplicator impatient = world.dedup();
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Outcome<String>> first =
          thread.submit(
              () ->
                  impatient.execute(
                      KEY,
                      context -> {
                        inHandler.countDown();
                        finish.await();
                        return "receipt";
                      }));
      inHandler.await();
      world.store.forgetSent();

      assertThat(impatient.execute(KEY, runs)).isEqualTo(new Outcome.InProgress<>("us", LEASE));

      assertThat(world.store.sent()).isEmpty();
      finish.countDown();
      assertThat(first.get()).isInstanceOf(Outcome.Executed.class);
      assertThat(impatient.execute(KEY, runs)).isInstanceOf(Outcome.Duplicate.class);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aKeyIsInHandNoLongerWhateverItsHandlerThrew() {
    assertThatThrownBy(
            () ->
                dedup.execute(
                    KEY,
                    context -> {
                      throw new AssertionError("bug");
                    }))
        .isInstanceOf(AssertionError.class);

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);
  }
}
