// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.Claim;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims ahead and settlements behind. */
class ClaimsTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();
  private final Claims claims = dedup.claims();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void manyKeysAreClaimedInOneExchange() {
    List<Claimed> answers = claims.claim(IntStream.range(0, 200).mapToObj(this::ask).toList());

    assertThat(answers).hasSize(200).allMatch(Claimed.Acquired.class::isInstance);
    assertThat(world.store.sent().stream().filter(Sent::asksForKeys)).hasSize(1);
  }

  @Test
  void answersComeInTheOrderOfTheQuestions() {
    complete(held(ask(1)));
    world.rivalStarts(key(3));

    List<Claimed> answers = claims.claim(List.of(ask(0), ask(1), ask(2), ask(3)));

    assertThat(answers.get(0)).isInstanceOf(Claimed.Acquired.class);
    assertThat(outcome(answers.get(1))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(answers.get(2)).isInstanceOf(Claimed.Acquired.class);
    assertThat(outcome(answers.get(3))).isInstanceOf(Outcome.InProgress.class);
  }

  @Test
  void whatIsCompletedIsStoredBehindAndWaitedForBeforeAnythingIsAcknowledged() {
    Held held = started(ask(1));

    assertThat(held.complete(text("done"))).isTrue();

    assertThat(held.isDone()).isTrue();
    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    assertThat(held.outcome()).isInstanceOf(Outcome.Executed.class);
    assertThat(world.stored(key(1)).result()).isEqualTo(text("done"));
  }

  @Test
  void completionsThatComeWhileOneIsUnderWayAreStoredTogether() {
    List<Held> held = IntStream.range(0, 50).mapToObj(i -> started(ask(i))).toList();
    world.store.forgetSent();
    world.store.fail(
        Sent::completes,
        1,
        FaultyStore.first(() -> held.subList(1, 50).forEach(h -> h.complete(null))));

    held.get(0).complete(null);

    assertThat(claims.settle(held, SOON)).isTrue();
    assertThat(world.store.sent().stream().filter(Sent::completes)).hasSize(2);
  }

  @Test
  void withABoundOfOneACompletionIsStoredBeforeTheNextEffectBegins() {
    Claims strict = world.opened(world.builder().maxUnsettled(1).build()).claims();
    Held held = started(strict, ask(1));

    held.complete(null);

    assertThat(world.stored(key(1)).state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void aSecondDeliveryOfAKeyThatIsHeldHereLearnsOfTheFirst() {
    List<Claimed> answers = claims.claim(List.of(ask(1), ask(1)));

    Held held = ((Claimed.Acquired) answers.get(0)).held();
    assertThat(answers.get(1)).isEqualTo(new Claimed.HeldHere(held));
    assertThat(claims.claim(List.of(ask(1)))).containsExactly(new Claimed.HeldHere(held));
  }

  @Test
  void anotherMessageWithAKeyThatIsHeldHereIsAConflict() {
    held(ask(1, fingerprint("a")));

    Claimed answer = claims.claim(List.of(ask(1, fingerprint("b")))).get(0);

    assertThat(outcome(answer)).isInstanceOf(Outcome.Conflict.class);
  }

  @Test
  void repeatsOfADoneKeyInOneCallAreDuplicatesAndCostOneExchange() {
    complete(held(ask(1)));
    world.store.forgetSent();

    List<Claimed> answers = claims.claim(Stream.generate(() -> ask(1)).limit(300).toList());

    assertThat(answers).allMatch(a -> outcome(a) instanceof Outcome.Duplicate);
    assertThat(world.store.sent()).hasSize(1);
    assertThat(world.store.sent().get(0).claims()).hasSize(1);
  }

  @Test
  void aCallForAKeyThatIsHeldByClaimsIsBusyAndNotADuplicate() {
    held(ask(1));

    Outcome<String> outcome = dedup.execute(key(1), context -> "ran");

    assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
  }

  @Test
  void keysThatAreGivenBackCostOneExchangeAndAreFreeAtOnce() {
    List<Held> held = IntStream.range(0, 30).mapToObj(i -> held(ask(i))).toList();
    world.store.forgetSent();

    claims.release(held);

    assertThat(world.store.sent()).hasSize(1);
    assertThat(world.stored(key(7)).state()).isEqualTo(State.RELEASED);
    assertThat(held(ask(7)).isOpen()).isTrue();
  }

  @Test
  void whatIsGivenBackCannotBeCompletedAnyMore() {
    Held held = started(ask(1));
    held.release();

    assertThat(held.complete(null)).isFalse();
    assertThat(world.stored(key(1)).state()).isEqualTo(State.RELEASED);
  }

  @Test
  void aFailureIsStoredAndTheKeyMayRunAgain() {
    Held held = started(ask(1));

    assertThat(held.fail(new IllegalStateException("no"))).isInstanceOf(Outcome.Failed.class);

    assertThat(world.stored(key(1)).state()).isEqualTo(State.FAILED);
    assertThat(started(ask(1)).complete(null)).isTrue();
  }

  @Test
  void aStoreInTroubleIsNoFailureOfTheEffect() {
    Held held = started(ask(1));

    assertThat(held.fail(new StoreUnavailable("nested", null)))
        .isInstanceOf(Outcome.InProgress.class);

    assertThat(world.stored(key(1)).state()).isEqualTo(State.RELEASED);
  }

  @Test
  void aCompletionIsTriedAgainWhileTheLeaseLasts() {
    Held held = started(ask(1));
    world.store.fail(Sent::completes, 3, FaultyStore.unreachable());

    held.complete(null);

    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    assertThat(held.outcome()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aCompletionThatCannotBeStoredWithinTheLeaseIsIndeterminateAndNeverADuplicate() {
    Held held = started(ask(1));
    world.store.failAlways(Sent::completes, FaultyStore.unreachable());

    held.complete(null);

    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    assertThat(held.outcome()).isInstanceOf(Outcome.Indeterminate.class);
    assertThat(held.isDone()).isFalse();
    assertThat(world.events.of(DedupEvent.SettleIndeterminate.class)).hasSize(1);
    world.store.heal();
    assertThat(claims.claim(List.of(ask(1))).get(0)).isInstanceOf(Claimed.Acquired.class);
  }

  @Test
  void aCompletionAfterATakeoverIsFencedAndTheSuccessorStays() {
    Held held = started(ask(1));
    world.clock.advance(LEASE);
    Claim rival = world.rivalStarts(key(1));

    held.complete(null);

    assertThat(claims.settle(List.of(held), SOON)).isTrue();
    assertThat(held.outcome()).isInstanceOf(Outcome.Fenced.class);
    assertThat(world.stored(key(1)).token()).isEqualTo(rival.token());
    assertThat(world.stored(key(1)).state()).isEqualTo(State.PROCESSING);
  }

  @Test
  void oneUnreadableRecordCostsItsNeighboursNothing() {
    world.store.failAlways(sent -> sent.asksForKeys() && sent.names(key(1)), FaultyStore.corrupt());

    List<Claimed> answers = claims.claim(List.of(ask(0), ask(1), ask(2)));

    assertThat(answers.get(0)).isInstanceOf(Claimed.Acquired.class);
    assertThat(answers.get(1)).isInstanceOf(Claimed.Unreadable.class);
    assertThat(answers.get(2)).isInstanceOf(Claimed.Acquired.class);
  }

  @Test
  void whatWasClaimedAndNeverStartedLeavesNoDoubtUnderHold() {
    Held held = held(hold(1));
    world.clock.advance(LEASE.multipliedBy(30));

    assertThat(held.isOpen()).isTrue();
    assertThat(
            world.rival().execute(Delivery.of(key(1)), c -> "ran", ResultCodec.none(), holding()))
        .isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aStartIsStoredBeforeTheEffectUnderHold() {
    Held held = held(hold(1));
    world.store.forgetSent();

    assertThat(held.start()).isNull();

    assertThat(world.store.settlementsSent()).containsExactly(new Settlement.Start());
  }

  @Test
  void aStartUnderRerunCostsNoExchange() {
    Held held = held(ask(1));
    world.store.forgetSent();

    assertThat(held.start()).isNull();

    assertThat(world.store.sent()).isEmpty();
  }

  @Test
  void whatMayHaveEndedAProcessIsStoredAsStartedSoThatItsAttemptsAreCounted() {
    world.workerVanishes(key(1));
    Held held = held(ask(1));
    world.store.forgetSent();

    assertThat(held.start()).isNull();

    assertThat(held.context().takenOver()).isTrue();
    assertThat(world.store.settlementsSent()).containsExactly(new Settlement.Start());
    assertThat(world.stored(key(1)).attempts()).isEqualTo(2);
  }

  @Test
  void attemptsAreUsedUpByRunsThatEndedWithoutAnAnswer() {
    IntStream.range(0, 10).forEach(i -> world.workerVanishes(key(1)));

    Outcome<StoredResult> refusal = held(ask(1)).start();

    assertThat(refusal).isEqualTo(new Outcome.AttemptsUsedUp<>(10));
    assertThat(world.stored(key(1)).state()).isEqualTo(State.FAILED);
  }

  @Test
  void aClaimThatIsAlmostOverIsRenewedBeforeItsEffectStarts() {
    Held held = held(ask(1));
    world.clock.advance(LEASE.minusSeconds(5));
    world.store.forgetSent();

    assertThat(held.start()).isNull();

    assertThat(world.store.sent()).hasSize(1).allMatch(Sent::renews);
  }

  @Test
  void aClaimThatWasTakenMeanwhileDoesNotStart() {
    Held held = held(ask(1));
    world.clock.advance(LEASE);
    world.rivalStarts(key(1));

    assertThat(held.start()).isInstanceOf(Outcome.InProgress.class);
    assertThat(held.isOpen()).isFalse();
  }

  @Test
  void anUnansweredClaimIsOursAgainAtTheNextCall() {
    world.store.fail(Sent::asksForKeys, 2, FaultyStore.answerLost());
    assertThatThrownBy(() -> claims.claim(List.of(ask(1)))).isInstanceOf(StoreUnavailable.class);

    assertThat(claims.claim(List.of(ask(1))).get(0)).isInstanceOf(Claimed.Acquired.class);
  }

  @Test
  void everyDeliveryThatRanIsToldOnce() {
    Held done = started(ask(1));
    done.complete(null);
    claims.settle(List.of(done), SOON);
    started(ask(2)).fail(new IllegalStateException("no"));
    held(ask(3)).release();

    assertThat(world.events.of(DedupEvent.Decided.class))
        .extracting(decided -> decided.outcome().getClass().getSimpleName())
        .containsExactly("Executed", "Failed");
    assertThat(world.events.of(DedupEvent.HandlerEnded.class)).hasSize(2);
  }

  @Test
  void aClosedDeduplicatorStoresWhatIsDoneAndClaimsNoMore() {
    Held held = started(ask(1));
    held.complete(null);

    dedup.close();

    assertThat(world.stored(key(1)).state()).isEqualTo(State.SUCCEEDED);
    assertThatThrownBy(() -> claims.claim(List.of(ask(2)))).isInstanceOf(StoreUnavailable.class);
  }

  private void complete(Held held) {
    assertThat(held.start()).isNull();
    held.complete(null);
    assertThat(claims.settle(List.of(held), SOON)).isTrue();
  }

  private Held started(Ask ask) {
    return started(claims, ask);
  }

  private static Held started(Claims by, Ask ask) {
    Held held = held(by, ask);
    assertThat(held.start()).isNull();
    return held;
  }

  private Held held(Ask ask) {
    return held(claims, ask);
  }

  private static Held held(Claims by, Ask ask) {
    Claimed answer = by.claim(List.of(ask)).get(0);
    assertThat(answer).isInstanceOf(Claimed.Acquired.class);
    return ((Claimed.Acquired) answer).held();
  }

  private static Outcome<StoredResult> outcome(Claimed claimed) {
    return ((Claimed.Answered) claimed).outcome();
  }

  private Ask ask(int id) {
    return ask(id, Fingerprint.none());
  }

  private Ask ask(int id, Fingerprint fingerprint) {
    return new Ask(Delivery.of(key(id)).withFingerprint(fingerprint), dedup.policy());
  }

  private Ask hold(int id) {
    return new Ask(Delivery.of(key(id)), holding());
  }

  private Policy holding() {
    return dedup.policy().with(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
  }

  private static IdempotencyKey key(int id) {
    return IdempotencyKey.of("payments", String.valueOf(id));
  }

  private static Fingerprint fingerprint(String text) {
    return Fingerprint.raw(text.getBytes(StandardCharsets.UTF_8));
  }

  private static StoredResult text(String text) {
    return Objects.requireNonNull(ResultCodec.text().encode(text));
  }
}
