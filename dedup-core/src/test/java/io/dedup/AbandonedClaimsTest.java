// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims that nobody settles, and completions with a time or a bound of their own. */
class AbandonedClaimsTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();
  private final Claims claims = dedup.claims();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void anAbandonedClaimBlocksItsKeyForItsLeaseAndNoLonger() {
    started(claims, dedup.policy()).abandon();

    assertThat(dedup.execute(KEY, c -> "ran")).isInstanceOf(Outcome.InProgress.class);
    world.clock.advance(LEASE);
    assertThat(dedup.execute(KEY, c -> "ran")).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void underHoldAnAbandonedClaimIsInDoubtOnceItsLeaseIsOver() {
    Policy hold = dedup.policy().with(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
    started(claims, hold).abandon();

    world.clock.advance(LEASE);

    assertThat(world.rival().execute(Delivery.of(KEY), c -> "ran", ResultCodec.none(), hold))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void anAbandonedClaimIsNotCompletedByAnAnswerThatComesLate() {
    Held held = started(claims, dedup.policy());
    world.store.forgetSent();

    assertThat(held.abandon()).isTrue();

    assertThat(held.complete(null)).isFalse();
    held.release();
    assertThat(held.completeNow(null)).isInstanceOf(Outcome.InProgress.class);
    assertThat(held.fail(new IllegalStateException("late"))).isInstanceOf(Outcome.InProgress.class);
    assertThat(held.isOpen()).isFalse();
    assertThat(held.isDone()).isFalse();
    assertThat(world.store.sent()).noneMatch(Sent::completes);
    assertThat(world.stored(KEY).state()).isEqualTo(State.PROCESSING);
  }

  @Test
  void whatIsDoneCannotBeAbandoned() {
    Held held = started(claims, dedup.policy());
    held.complete(null);

    assertThat(held.abandon()).isFalse();

    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    assertThat(world.stored(KEY).state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void aCompletionMayHaveATimeOfItsOwn() {
    Held held = started(claims, dedup.policy());

    assertThat(held.complete(text("done"), Duration.ofMinutes(5))).isTrue();

    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    world.clock.advance(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(dedup.execute(KEY, c -> "again")).isInstanceOf(Outcome.Duplicate.class);
    world.clock.advance(Duration.ofSeconds(1));
    assertThat(dedup.execute(KEY, c -> "again")).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aTimeThatCannotBeIsRefusedAndTheClaimIsStillOpen() {
    Held held = started(claims, dedup.policy());

    assertThatThrownBy(() -> held.complete(null, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(held.complete(null)).isTrue();
  }

  @Test
  void claimsWithABoundOfTheirOwnDoNotWaitForRoomWhileAStoreIsDown() {
    Claims wide = dedup.claims(Deduplicator.MAX_UNSETTLED);
    List<Held> held = IntStream.range(0, 300).mapToObj(i -> started(wide, key(i))).toList();
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());

    assertThat(held).allMatch(h -> h.complete(null));
    world.store.heal();

    assertThat(wide.settle(held, SOON)).isTrue();
  }

  @Test
  void claimsWithABoundOfTheirOwnKnowWhatTheOthersHold() {
    Claims wide = dedup.claims(Deduplicator.MAX_UNSETTLED);
    Held held = started(claims, dedup.policy());

    assertThat(wide.claim(List.of(ask(dedup.policy()))))
        .containsExactly(new Claimed.HeldHere(held));
  }

  @Test
  void aBoundThatCannotBeIsRefused() {
    assertThatThrownBy(() -> dedup.claims(0))
        .hasMessage("max-unsettled: was 0, must be 1 to 10000");
  }

  @Test
  void aClosedDeduplicatorClosesThemAll() {
    Claims wide = dedup.claims(1000);
    Held held = started(wide, dedup.policy());
    held.complete(null);

    dedup.close();

    assertThat(world.stored(KEY).state()).isEqualTo(State.SUCCEEDED);
    assertThatThrownBy(() -> wide.claim(List.of(ask(dedup.policy()))))
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> dedup.claims(1000).claim(List.of(ask(dedup.policy()))))
        .hasMessageContaining("closed");
  }

  private static Held started(Claims from, Policy policy) {
    return started(from, ask(policy));
  }

  private Held started(Claims from, IdempotencyKey key) {
    return started(from, new Ask(Delivery.of(key), dedup.policy()));
  }

  private static Held started(Claims from, Ask ask) {
    Held held = ((Claimed.Acquired) from.claim(List.of(ask)).get(0)).held();
    assertThat(held.start()).isNull();
    return held;
  }

  private static Ask ask(Policy policy) {
    return new Ask(Delivery.of(KEY), policy);
  }

  private static IdempotencyKey key(int id) {
    return IdempotencyKey.of("payments", "wide-" + id);
  }

  private static StoredResult text(String text) {
    return new StoredResult("text/plain", text.getBytes(StandardCharsets.UTF_8));
  }
}
