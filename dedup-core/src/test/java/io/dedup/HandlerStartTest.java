// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler starts with more than a third of its lease left, or not at all. */
class HandlerStartTest {

  private static final Duration TWO_THIRDS = LEASE.dividedBy(3).multipliedBy(2);

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aClaimThatIsAnsweredInTimeCostsOneExchangeAndItsCompletionAnother() {
    dedup.execute(KEY, runs);
    world.store.forgetSent();

    dedup.execute(IdempotencyKey.of("payments", "next"), runs);

    assertThat(world.store.sent()).hasSize(2);
    assertThat(world.store.sent().get(0).claims()).hasSize(1);
    assertThat(world.store.sent().get(1).settlements()).hasSize(1);
  }

  @Test
  void aClaimAnsweredWithMoreThanAThirdLeftStartsAtOnce() {
    answerClaimAfter(TWO_THIRDS.minusNanos(1));

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(settlements()).containsExactly("Complete");
  }

  @Test
  void aClaimAnsweredWithAThirdLeftIsRenewedBeforeItStarts() {
    answerClaimAfter(TWO_THIRDS);
    Runs checked =
        Runs.doing(
            context -> {
              assertThat(settlements()).containsExactly("Renew");
              return "receipt";
            });

    assertThat(dedup.execute(KEY, checked)).isInstanceOf(Outcome.Executed.class);

    assertThat(settlements()).containsExactly("Renew", "Complete");
  }

  @Test
  void aClaimThatWasLostBeforeItsAnswerCameStartsNothing() {
    world.store.fail(
        Sent::asksForKeys,
        1,
        FaultyStore.then(
            () -> {
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
            }));

    assertThat(dedup.execute(KEY, runs))
        .isEqualTo(new Outcome.InProgress<>("rival", Duration.ZERO));

    assertThat(runs.count()).isZero();
    assertThat(settlements()).containsExactly("Renew");
    assertThat(world.stored().owner()).isEqualTo("rival");
  }

  /** Nothing ran, so nothing is in doubt, and no attempt is spent. */
  @Test
  void aClaimThatCannotBeRenewedStartsNothingAndIsThereForTheNextCall() {
    Deduplicator holding = world.dedup(p -> p.onLeaseExpired(OnLeaseExpired.HOLD).maxAttempts(1));
    answerClaimAfter(TWO_THIRDS);
    world.store.fail(Sent::renews, 2, FaultyStore.unreachable());
    assertThatThrownBy(() -> holding.execute(KEY, runs)).isInstanceOf(StoreUnavailable.class);
    assertThat(runs.count()).isZero();
    world.clock.advance(LEASE);

    assertThat(holding.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(runs.last()).isEqualTo(new Runs.Run(world.stored().token(), 1, false));
  }

  @Test
  void aLeaseShorterThanTheAnswersOfTheStoreIsTroubleAndNoEndlessLoop() {
    answerClaimAfter(TWO_THIRDS);
    world.store.failAlways(Sent::renews, FaultyStore.answeredLate(world.clock, TWO_THIRDS));

    assertThatThrownBy(() -> dedup.execute(KEY, runs))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("lease: was PT30S");

    assertThat(runs.count()).isZero();
    assertThat(settlements()).containsExactly("Renew", "Renew", "Renew");
  }

  /**
   * The first try's answer is lost after the command time-out; what is left of its lease is the
   * store's word.
   */
  @Test
  void aClaimThatWasSentTwiceCountsItsLeaseFromTheFirstTime() {
    Duration timeOut = Duration.ofSeconds(22);
    world.store.fail(
        Sent::asksForKeys,
        1,
        (store, sent) -> {
          store.claim(sent.claims());
          world.clock.advance(timeOut);
          throw new StoreUnavailable("answer lost", null);
        });

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(settlements()).containsExactly("Renew", "Complete");
  }

  @Test
  void aClaimThatDidNotArriveAtFirstCountsItsLeaseFromTheSecondTime() {
    world.store.fail(
        Sent::asksForKeys,
        1,
        (store, sent) -> {
          world.clock.advance(TWO_THIRDS);
          throw new StoreUnavailable("unreachable", null);
        });

    assertThat(dedup.execute(KEY, runs)).isInstanceOf(Outcome.Executed.class);

    assertThat(settlements()).containsExactly("Complete");
  }

  private void answerClaimAfter(Duration delay) {
    world.store.fail(Sent::asksForKeys, 1, FaultyStore.answeredLate(world.clock, delay));
  }

  private List<String> settlements() {
    return world.store.settlementsSent().stream().map(s -> s.getClass().getSimpleName()).toList();
  }
}
