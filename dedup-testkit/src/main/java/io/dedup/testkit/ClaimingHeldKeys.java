// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.InDoubt;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims of keys that a claim holds, or held until its lease was over. */
abstract class ClaimingHeldKeys extends ContractSection {

  ClaimingHeldKeys(ClaimStoreContract contract) {
    super(contract);
  }

  @Test
  void aLiveLeaseIsInProgressForEverybodyElse() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    assertThat(claim(request(key, "bert", 2)))
        .isEqualTo(new InProgress("anna", LEASE.minusMinutes(1), origin(1)));
    assertThat(record(key)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(OnLeaseExpired.class)
  void aLeaseIsLiveUntilItsLastMicrosecond(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    time.advance(LEASE.minus(MICRO));
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(policy)))
        .isEqualTo(new InProgress("anna", MICRO, origin(1)));
  }

  @Test
  void theRedeliveryOfTheSameRecordIsInProgressToo() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    assertThat(claim(request(key, "anna", 1))).isEqualTo(new InProgress("anna", LEASE, origin(1)));
  }

  @ParameterizedTest
  @EnumSource(
      value = OnLeaseExpired.class,
      names = {"RERUN", "PROBE"})
  void aStartedClaimIsTakenOverTheMomentItsLeaseIsOver(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    Claim lost = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    afterLease();
    Acquired answer = acquired(request(key, "bert", 2).onLeaseExpired(policy).build());
    assertThat(answer).isEqualTo(new Acquired(clock(), 2, true, LEASE));
    assertThat(answer.token()).isGreaterThan(lost.token());
    ClaimRecord after = record(key);
    assertThat(after.owner()).isEqualTo("bert");
    assertThat(after.origin()).isEqualTo(origin(2));
    assertThat(after.attempts()).isEqualTo(2);
    assertThat(after.takenOver()).isTrue();
    assertThat(after.created()).isEqualTo(before.created());
    assertThat(after.updated()).isEqualTo(time.now());
  }

  @Test
  void aTakeoverNeverShortensTheExpiry() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    afterLease();
    acquire(ClaimRequest.builder(key, "bert", Duration.ofMinutes(1), Duration.ofMinutes(1)));
    assertThat(record(key).expires()).isEqualTo(before.expires());
    assertThat(record(key).busyUntil()).isEqualTo(time.now().plus(Duration.ofMinutes(1)));
  }

  @Test
  void aStartedClaimIsHeldInDoubtIfThePolicySaysSo() {
    IdempotencyKey key = newKey();
    Claim lost = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(LEASE.plusMinutes(1));
    InDoubt answer = new InDoubt("anna", lost.token(), before.busyUntil());
    ClaimRequest.Builder held = request(key, "bert", 2).onLeaseExpired(OnLeaseExpired.HOLD);
    assertThat(claim(held)).isEqualTo(answer);
    time.advance(TTL.minusMinutes(2));
    assertThat(claim(request(key, "carl", 3).onLeaseExpired(OnLeaseExpired.HOLD)))
        .isEqualTo(answer);
    assertThat(record(key)).isEqualTo(before);
  }

  @Test
  void doubtEndsWithTheRetention() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    time.advance(LEASE.plus(TTL));
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(OnLeaseExpired.HOLD)))
        .isEqualTo(new Acquired(clock(), 1, false, LEASE));
  }

  @ParameterizedTest
  @EnumSource(OnLeaseExpired.class)
  void aClaimThatNeverStartedIsAcquiredWhateverThePolicy(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    afterLease();
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(policy)))
        .isEqualTo(new Acquired(clock(), 1, false, LEASE));
  }

  @ParameterizedTest
  @EnumSource(
      value = OnLeaseExpired.class,
      names = {"RERUN", "PROBE"})
  void aClaimThatNeverSaidMayHaveStarted(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).start(ClaimStart.UNRECORDED));
    afterLease();
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(policy)))
        .isEqualTo(new Acquired(clock(), 1, true, LEASE));
  }

  @Test
  void aClaimThatNeverSaidIsHeldInDoubt() {
    IdempotencyKey key = newKey();
    Claim lost = acquire(request(key, "anna", 1).start(ClaimStart.UNRECORDED));
    afterLease();
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(OnLeaseExpired.HOLD)))
        .isEqualTo(new InDoubt("anna", lost.token(), time.now()));
  }

  @Test
  void aStartStoredLaterCountsAsStarted() {
    IdempotencyKey key = newKey();
    Claim lost = acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    apply(lost, new Settlement.Start());
    afterLease();
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(OnLeaseExpired.HOLD)))
        .isEqualTo(new InDoubt("anna", lost.token(), time.now()));
    assertThat(claim(request(key, "carl", 3))).isEqualTo(new Acquired(clock(), 2, true, LEASE));
  }

  @ParameterizedTest
  @EnumSource(OnLeaseExpired.class)
  void whoWasLostInATransactionLeavesNoDoubtAndCountsAsAnAttempt(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).start(ClaimStart.IN_TRANSACTION));
    assertThat(record(key).start()).isEqualTo(StartMark.IN_TRANSACTION);
    afterLease();
    assertThat(claim(request(key, "bert", 2).onLeaseExpired(policy)))
        .isEqualTo(new Acquired(clock(), 2, true, LEASE));
  }

  @Test
  void everyCrashAfterAStartIsAnAttempt() {
    IdempotencyKey key = newKey();
    for (int attempt = 1; attempt <= 5; attempt++) {
      assertThat(acquired(request(key, "anna", attempt).build()).attempt()).isEqualTo(attempt);
      afterLease();
    }
  }

  @Test
  void theDoubtAboutACrashOutlivesASuccessorThatNeverStarted() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    acquire(request(key, "bert", 2).start(ClaimStart.RECORDED_LATER));
    afterLease();
    assertThat(claim(request(key, "carl", 3))).isEqualTo(new Acquired(clock(), 2, true, LEASE));
  }

  @ParameterizedTest
  @EnumSource(ClaimStart.class)
  void theDoubtAboutACrashOutlivesASuccessorThatGaveTheKeyBack(ClaimStart start) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    apply(acquire(request(key, "bert", 2).start(start)), new Settlement.Release());
    assertThat(acquired(request(key, "carl", 3).build()).takenOver()).isTrue();
  }

  @Test
  void theDoubtAboutACrashOutlivesASuccessorThatFailed() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    Settlement failed = new Settlement.Fail("boom", TTL, Duration.ZERO);
    apply(acquire(request(key, "bert", 2)), failed);
    apply(acquire(request(key, "carl", 3)), failed);
    assertThat(acquired(request(key, "dora", 4).build()))
        .isEqualTo(new Acquired(clock() + 2, 1, true, LEASE));
  }

  @Test
  void anotherMessageWithTheKeyIsAConflictWhileTheLeaseLives() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER)))
        .isEqualTo(new Conflict(ORDER));
    assertThat(record(key)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(OnLeaseExpired.class)
  void anotherMessageWithTheKeyIsAConflictAfterTheLeaseToo(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER).onLeaseExpired(policy)))
        .isEqualTo(new Conflict(ORDER));
  }

  @Test
  void anotherMessageWithTheKeyIsAConflictAlsoIfTheClaimNeverStarted() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    afterLease();
    assertThat(claim(request(key, "bert", 2).fingerprint(OTHER_ORDER)))
        .isEqualTo(new Conflict(ORDER));
  }

  @Test
  void fingerprintsOfDifferentAlgorithmsAreNotCompared() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).fingerprint(new Fingerprint(Fingerprint.RAW, 1)));
    assertThat(claim(request(key, "bert", 2).fingerprint(new Fingerprint(Fingerprint.JSON, 2))))
        .isInstanceOf(InProgress.class);
    assertThat(claim(request(key, "bert", 2).fingerprint(Fingerprint.none())))
        .isInstanceOf(InProgress.class);
  }

  @Test
  void aClaimWithoutAFingerprintConflictsWithNone() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1).fingerprint(Fingerprint.none()));
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(InProgress.class);
    afterLease();
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Acquired.class);
    assertThat(record(key).fingerprint()).isEqualTo(ORDER);
  }

  @Test
  void fingerprintsKeepAllTheirBits() {
    for (long value : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE, 0x8000_0000_0000_0001L}) {
      IdempotencyKey key = newKey();
      Fingerprint stored = new Fingerprint(255, value);
      acquire(request(key, "anna", 1).fingerprint(stored));
      assertThat(claim(request(key, "bert", 2).fingerprint(stored))).isInstanceOf(InProgress.class);
      assertThat(claim(request(key, "bert", 2).fingerprint(new Fingerprint(255, value ^ 1))))
          .isEqualTo(new Conflict(stored));
    }
  }
}
