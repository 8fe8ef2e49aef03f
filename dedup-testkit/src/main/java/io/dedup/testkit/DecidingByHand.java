// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.claim.AuditNote;
import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.InDoubt;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators do: resolve, reopen, forget. */
abstract class DecidingByHand extends ContractSection {

  private static final Resolution NOT_DONE = new Resolution.NotDone();
  private static final String WHY = "asked the bank: \u00fcberwiesen";

  DecidingByHand(ClaimStoreContract contract) {
    super(contract);
  }

  static List<Resolution> resolutions() {
    return List.of(NOT_DONE, new Resolution.Done(null, TTL), new Resolution.Done(RECEIPT, TTL));
  }

  static List<Settlement> ends() {
    return List.of(
        new Settlement.Complete(RECEIPT, TTL),
        new Settlement.Fail("boom", TTL, LEASE),
        new Settlement.Release());
  }

  private SettleAnswer resolve(IdempotencyKey key, long token, Resolution resolution) {
    return store.resolve(key, token, resolution, "olga", WHY);
  }

  private Claim inDoubt(IdempotencyKey key) {
    Claim lost = acquire(request(key, "anna", 1));
    afterLease();
    return lost;
  }

  @Test
  void whatIsResolvedAsDoneIsCompleted() {
    IdempotencyKey key = newKey();
    Claim lost = inDoubt(key);
    ClaimRecord before = record(key);
    assertThat(resolve(key, lost.token(), new Resolution.Done(RECEIPT, TTL))).isEqualTo(APPLIED);
    ClaimRecord done = record(key);
    assertThat(done.state()).isEqualTo(State.SUCCEEDED);
    assertThat(done.claimId()).isEqualTo(ClaimId.none());
    assertThat(done.token()).isGreaterThan(lost.token());
    assertThat(done.owner()).isEmpty();
    assertThat(done.error()).isEqualTo(AuditNote.resolved("olga", WHY));
    assertThat(done.created()).isEqualTo(before.created());
    assertThat(done.expires()).isEqualTo(time.now().plus(TTL));
    assertThat(claim(request(key, "bert", 2)))
        .isEqualTo(new Completed(RECEIPT, origin(1), done.token(), time.now(), done.expires()));
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER)))
        .isEqualTo(new Conflict(ORDER));
  }

  @Test
  void whatIsResolvedAsNotDoneRunsWithoutDoubt() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    Claim lost = acquire(request(key, "bert", 2));
    afterLease();
    ClaimRecord before = record(key);
    assertThat(claim(request(key, "carl", 3).onLeaseExpired(OnLeaseExpired.HOLD)))
        .isInstanceOf(InDoubt.class);
    assertThat(resolve(key, lost.token(), NOT_DONE)).isEqualTo(APPLIED);
    ClaimRecord resolved = record(key);
    assertThat(resolved.state()).isEqualTo(State.RELEASED);
    assertThat(resolved.isTombstone()).isTrue();
    assertThat(resolved.expires()).isEqualTo(before.expires());
    ClaimRequest.Builder next = request(key, "carl", 3).onLeaseExpired(OnLeaseExpired.HOLD);
    assertThat(claim(next)).isEqualTo(new Acquired(resolved.token() + 1, 1, false, LEASE));
  }

  @ParameterizedTest
  @MethodSource("resolutions")
  void theLostClaimSettlesNothingAnyMore(Resolution resolution) {
    IdempotencyKey key = newKey();
    Claim lost = inDoubt(key);
    resolve(key, lost.token(), resolution);
    ClaimRecord resolved = record(key);
    for (Settlement late : ends()) {
      assertThat(settle(lost, late)).isEqualTo(fencedBy(resolved));
    }
    assertThat(settle(lost, new Settlement.Attach(RECEIPT))).isEqualTo(fencedBy(resolved));
    assertThat(record(key)).isEqualTo(resolved);
  }

  @ParameterizedTest
  @MethodSource("resolutions")
  void aResolutionSentAgainIsFencedByItself(Resolution resolution) {
    IdempotencyKey key = newKey();
    Claim lost = inDoubt(key);
    resolve(key, lost.token(), resolution);
    ClaimRecord resolved = record(key);
    assertThat(resolve(key, lost.token(), resolution)).isEqualTo(fencedBy(resolved));
    assertThat(resolve(key, resolved.token(), resolution)).isEqualTo(fencedBy(resolved));
    assertThat(record(key)).isEqualTo(resolved);
  }

  @ParameterizedTest
  @MethodSource("resolutions")
  void aLiveLeaseIsNotResolved(Resolution resolution) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(LEASE.minus(MICRO));
    assertThat(resolve(key, claim.token(), resolution)).isEqualTo(fencedBy(before));
    assertThat(record(key)).isEqualTo(before);
    time.advance(MICRO);
    assertThat(resolve(key, claim.token(), resolution)).isEqualTo(APPLIED);
  }

  @Test
  void anotherTokenResolvesNothing() {
    IdempotencyKey key = newKey();
    Claim lost = inDoubt(key);
    ClaimRecord before = record(key);
    assertThat(resolve(key, lost.token() + 1, NOT_DONE)).isEqualTo(fencedBy(before));
    assertThat(resolve(key, lost.token() - 1, NOT_DONE)).isEqualTo(fencedBy(before));
    assertThat(record(key)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void whatIsSettledIsNotResolved(Settlement end) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, end);
    ClaimRecord before = record(key);
    afterLease();
    assertThat(resolve(key, claim.token(), NOT_DONE)).isEqualTo(fencedBy(before));
    assertThat(record(key)).isEqualTo(before);
  }

  @Test
  void whatIsIssuedOrAbsentIsNotResolved() {
    IdempotencyKey key = newKey();
    assertThat(resolve(key, 0, NOT_DONE)).isEqualTo(fencedByNobody());
    store.issue(key, TTL);
    ClaimRecord issued = record(key);
    assertThat(resolve(key, issued.token(), NOT_DONE)).isEqualTo(fencedBy(issued));
    Claim lost = inDoubt(key);
    time.advance(TTL);
    assertThat(resolve(key, lost.token(), NOT_DONE)).isEqualTo(fencedByNobody());
    assertAbsent(key);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void whatIsReopenedRunsAgain(Settlement end) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, end);
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    assertThat(store.reopen(key, "olga", WHY)).isEqualTo(APPLIED);
    ClaimRecord tombstone = record(key);
    assertThat(tombstone.isTombstone()).isTrue();
    assertThat(tombstone.token()).isGreaterThan(claim.token());
    assertThat(tombstone.result()).isNull();
    assertThat(tombstone.error()).isEqualTo(AuditNote.reopened("olga", WHY));
    assertThat(tombstone.created()).isEqualTo(before.created());
    assertThat(tombstone.updated()).isEqualTo(time.now());
    assertThat(tombstone.expires()).isEqualTo(before.expires());
    assertThat(settle(claim, end)).isEqualTo(fencedBy(tombstone));
    assertThat(claim(request(key, "bert", 1)))
        .isEqualTo(new Acquired(Math.max(clock(), tombstone.token() + 1), 1, false, LEASE));
    assertThat(record(key).error()).isNull();
  }

  @Test
  void whatIsReopenedMayBeUsedByAnotherMessage() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    store.reopen(key, "olga", WHY);
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER)))
        .isInstanceOf(Acquired.class);
  }

  @Test
  void whatIsInDoubtIsReopenedButNotALiveClaim() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(LEASE.minus(MICRO));
    assertThat(store.reopen(key, "olga", WHY)).isEqualTo(fencedBy(before));
    assertThat(record(key)).isEqualTo(before);
    time.advance(MICRO);
    assertThat(store.reopen(key, "olga", WHY)).isEqualTo(APPLIED);
    assertThat(record(key).attempts()).isZero();
  }

  @Test
  void anAbsentKeyIsNotReopened() {
    IdempotencyKey key = newKey();
    assertThat(store.reopen(key, "olga", WHY)).isEqualTo(fencedByNobody());
    assertAbsent(key);
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL);
    assertThat(store.reopen(key, "olga", WHY)).isEqualTo(fencedByNobody());
    assertAbsent(key);
  }

  @Test
  void whoAndWhyMustBeGiven() {
    IdempotencyKey key = newKey();
    Claim lost = inDoubt(key);
    ClaimRecord before = record(key);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tested.resolve(key, lost.token(), NOT_DONE, " ", WHY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tested.resolve(key, lost.token(), NOT_DONE, "olga", ""));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.reopen(key, "", WHY));
    assertThatIllegalArgumentException().isThrownBy(() -> tested.reopen(key, "olga", "\t"));
    assertThat(record(key)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aForgottenKeyBeginsAnew(Settlement end) {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), end);
    time.advance(MICRO);
    assertThat(store.forget(key)).isTrue();
    assertAbsent(key);
    assertThat(store.forget(key)).isFalse();
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER)))
        .isEqualTo(new Acquired(clock(), 1, false, LEASE));
    assertThat(record(key).created()).isEqualTo(time.now());
  }

  @Test
  void aLiveClaimAndAnIssuedKeyAreForgottenToo() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    assertThat(store.forget(key)).isTrue();
    acquire(request(key, "anna", 1));
    assertThat(store.forget(key)).isTrue();
    assertAbsent(key);
  }

  @Test
  void anExpiredKeyIsNothingToForget() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL);
    assertThat(store.forget(key)).isFalse();
  }
}
