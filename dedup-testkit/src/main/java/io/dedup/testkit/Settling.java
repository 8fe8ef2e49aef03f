// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each settlement by the claim that holds the key does. */
abstract class Settling extends ContractSection {

  Settling(ClaimStoreContract contract) {
    super(contract);
  }

  /** The settlements that end a claim. */
  static List<Settlement> ends() {
    return List.of(
        new Settlement.Complete(RECEIPT, TTL),
        new Settlement.Fail("boom", TTL, LEASE),
        new Settlement.Release());
  }

  @Test
  void aStartIsAnAttempt() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Start());
    ClaimRecord started = record(key);
    assertThat(started.start()).isEqualTo(StartMark.STARTED);
    assertThat(started.attempts()).isEqualTo(1);
    assertThat(started.busyUntil()).isEqualTo(before.busyUntil());
    assertThat(started.updated()).isEqualTo(before.updated());
  }

  @ParameterizedTest
  @EnumSource(ClaimStart.class)
  void aStartCountsOnceHoweverOftenItIsSent(ClaimStart start) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1).start(start));
    apply(claim, new Settlement.Start());
    apply(claim, new Settlement.Start());
    assertThat(record(key).attempts()).isEqualTo(1);
  }

  @Test
  void aRenewalHoldsTheKeyFromNow() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    time.advance(LEASE.minus(MICRO));
    apply(claim, new Settlement.Renew(LEASE, TTL));
    ClaimRecord renewed = record(key);
    assertThat(renewed.busyUntil()).isEqualTo(time.now().plus(LEASE));
    assertThat(renewed.expires()).isEqualTo(time.now().plus(LEASE).plus(TTL));
    assertThat(renewed.attempts()).isEqualTo(1);
    time.advance(LEASE.minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new InProgress("anna", MICRO, origin(1)));
  }

  @Test
  void aRenewalNeverCutsALeaseOrAnExpiry() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    apply(claim, new Settlement.Renew(Duration.ofMinutes(1), Duration.ofMinutes(1)));
    assertThat(record(key)).isEqualTo(before);
  }

  @Test
  void aRenewedClaimNeverExpiresBeforeItsLease() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, new Settlement.Renew(TTL.multipliedBy(5), TTL.multipliedBy(5)));
    time.advance(TTL.multipliedBy(5).minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new InProgress("anna", MICRO, origin(1)));
  }

  @Test
  void aLeaseThatIsOverIsRenewedIfNobodyTookOver() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    time.advance(LEASE.plusMinutes(1));
    apply(claim, new Settlement.Renew(LEASE, TTL));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new InProgress("anna", LEASE, origin(1)));
  }

  @Test
  void aCompletionKeepsWhoDidWhatAndWhen() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    Claim claim = request.claim(acquired(request).token());
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Complete(RECEIPT, TTL));
    assertThat(record(key))
        .isEqualTo(
            new ClaimRecord(
                State.SUCCEEDED,
                request.claimId(),
                claim.token(),
                "anna",
                time.now(),
                StartMark.STARTED,
                false,
                0,
                ORDER,
                origin(1),
                List.of(),
                RECEIPT,
                null,
                before.created(),
                time.now(),
                time.now().plus(TTL)));
  }

  @Test
  void aCompletionIsKeptForItsOwnTtlNotForTheLeases() {
    IdempotencyKey key = newKey();
    Claim longer = acquire(request(key, "anna", 1));
    apply(longer, new Settlement.Complete(null, Duration.ofDays(400)));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(Duration.ofDays(400)));
    Claim shorter = acquire(request(newKey(), "anna", 1));
    apply(shorter, new Settlement.Complete(null, LEASE));
    assertThat(record(shorter.key()).expires()).isEqualTo(time.now().plus(LEASE));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aSettlementAfterTheLeaseIsAcceptedIfNobodyTookOver(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    time.advance(LEASE.plus(TTL).minus(MICRO));
    apply(claim, settlement);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aSettlementOfAnExpiredClaimIsRefused(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    time.advance(LEASE.plus(TTL));
    assertThat(settle(claim, settlement)).isEqualTo(fencedByNobody());
    assertAbsent(key);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aSettlementSetsTheCountOfAttemptsBack(Settlement settlement) {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    apply(acquire(request(key, "bert", 2)), settlement);
    assertThat(record(key).attempts()).isZero();
  }

  @Test
  void aFailureIsKeptWithItsErrorAndItsBackOff() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Fail("boom", TTL, Duration.ofSeconds(90)));
    assertThat(record(key))
        .isEqualTo(
            new ClaimRecord(
                State.FAILED,
                claim.id(),
                claim.token(),
                "anna",
                time.now().plusSeconds(90),
                StartMark.STARTED,
                false,
                0,
                ORDER,
                origin(1),
                List.of(),
                null,
                "boom",
                before.created(),
                time.now(),
                time.now().plus(TTL)));
  }

  @Test
  void aBackOffMayLastAsLongAsTheFailureIsKept() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), new Settlement.Fail("boom", LEASE, LEASE));
    time.advance(LEASE.minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new InProgress("anna", MICRO, origin(1)));
    time.advance(MICRO);
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new Acquired(clock(), 1, false, LEASE));
  }

  @Test
  void aReleaseKeepsTheRecord() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Release());
    ClaimRecord released = record(key);
    assertThat(released.state()).isEqualTo(State.RELEASED);
    assertThat(released.token()).isEqualTo(claim.token());
    assertThat(released.claimId()).isEqualTo(claim.id());
    assertThat(released.fingerprint()).isEqualTo(ORDER);
    assertThat(released.created()).isEqualTo(before.created());
    assertThat(released.updated()).isEqualTo(time.now());
    assertThat(released.expires()).isEqualTo(before.expires());
  }

  @Test
  void aResultMayFollowTheCompletion() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    ClaimRecord done = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Attach(RECEIPT));
    ClaimRecord attached = record(key);
    assertThat(attached.result()).isEqualTo(RECEIPT);
    assertThat(attached.updated()).isEqualTo(done.updated());
    assertThat(attached.expires()).isEqualTo(done.expires());
    apply(claim, DONE);
    assertThat(record(key)).isEqualTo(attached);
  }

  @Test
  void aResultThatIsThereIsNotReplaced() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, new Settlement.Complete(RECEIPT, TTL));
    ClaimRecord done = record(key);
    StoredResult other = new StoredResult("application/json", new byte[] {1});
    assertThat(settle(claim, new Settlement.Attach(other))).isEqualTo(fencedBy(done));
    StoredResult otherType = new StoredResult("text/plain", RECEIPT.bytes());
    assertThat(settle(claim, new Settlement.Attach(otherType))).isEqualTo(fencedBy(done));
    assertThat(record(key)).isEqualTo(done);
  }

  @Test
  void noResultIsAttachedBeforeTheCompletion() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    ClaimRecord before = record(key);
    assertThat(settle(claim, new Settlement.Attach(RECEIPT))).isEqualTo(fencedBy(before));
    apply(claim, new Settlement.Release());
    assertThat(settle(claim, new Settlement.Attach(RECEIPT))).isEqualTo(fencedBy(record(key)));
  }
}
