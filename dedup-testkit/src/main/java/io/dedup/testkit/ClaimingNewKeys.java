// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.NotIssued;
import io.dedup.claim.ClaimAnswer.RequestExpired;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.Settlement;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims of keys that are absent, expired or issued; tokens; late copies. */
abstract class ClaimingNewKeys extends ContractSection {

  ClaimingNewKeys(ClaimStoreContract contract) {
    super(contract);
  }

  @Test
  void anAbsentKeyIsAcquiredAndItsRecordHoldsAllThatTheRequestSaid() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 17).build();
    assertThat(claim(request)).isEqualTo(new Acquired(clock(), 1, false, LEASE));
    assertThat(record(key))
        .isEqualTo(
            new ClaimRecord(
                State.PROCESSING,
                request.claimId(),
                clock(),
                "anna",
                time.now().plus(LEASE),
                StartMark.STARTED,
                false,
                1,
                ORDER,
                origin(17),
                List.of(),
                null,
                null,
                time.now(),
                time.now(),
                time.now().plus(LEASE).plus(TTL)));
  }

  @ParameterizedTest
  @EnumSource(
      value = ClaimStart.class,
      names = {"RECORDED_LATER", "UNRECORDED"})
  void aClaimAheadIsNoAttemptYet(ClaimStart start) {
    IdempotencyKey key = newKey();
    Acquired answer = acquired(request(key, "anna", 1).start(start).build());
    assertThat(answer.attempt()).isEqualTo(1);
    assertThat(record(key).attempts()).isZero();
    assertThat(record(key).start()).isEqualTo(start.mark());
  }

  @Test
  void anotherKeyIsNotConcerned() {
    acquire(request(newKey(), "anna", 1));
    assertAbsent(newKey());
  }

  @Test
  void aRecordLivesUntilJustBeforeItsExpiry() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL.minus(MICRO));
    assertThat(record(key).state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void anExpiredRecordIsAbsentFromItsExpiryOn() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL);
    assertAbsent(key);
    Acquired answer = acquired(request(key, "bert", 2).fingerprint(OTHER_ORDER).build());
    assertThat(answer).isEqualTo(new Acquired(clock(), 1, false, LEASE));
    assertThat(record(key).created()).isEqualTo(time.now());
  }

  @Test
  void anExpiredClaimLeavesNoDoubtAndNoAttempts() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    time.advance(LEASE.plus(TTL));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new Acquired(clock(), 1, false, LEASE));
  }

  @Test
  void theLeaseAndTheTtlMayBeEqual() {
    IdempotencyKey key = newKey();
    ClaimRequest request = ClaimRequest.builder(key, "anna", LEASE, LEASE).build();
    assertThat(acquired(request).leaseLeft()).isEqualTo(LEASE);
    assertThat(record(key).expires()).isEqualTo(time.now().plus(LEASE).plus(LEASE));
  }

  @Test
  void leasesAreKeptToTheMicrosecond() {
    IdempotencyKey key = newKey();
    Duration lease = LEASE.plus(MICRO);
    ClaimRequest request = ClaimRequest.builder(key, "anna", lease, TTL.plus(MICRO)).build();
    assertThat(acquired(request).leaseLeft()).isEqualTo(lease);
    assertThat(record(key).busyUntil()).isEqualTo(time.now().plus(lease));
  }

  @Test
  void aKeyThatMustBeIssuedAndIsAbsentIsNot() {
    IdempotencyKey key = newKey();
    assertThat(claim(request(key, "anna", 1).requireIssued(true))).isEqualTo(new NotIssued());
    assertAbsent(key);
  }

  @Test
  void aKeyWhoseIssueExpiredIsNotIssued() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    time.advance(TTL);
    assertThat(claim(request(key, "anna", 1).requireIssued(true))).isEqualTo(new NotIssued());
    assertAbsent(key);
  }

  @Test
  void anIssuedKeyIsAcquiredJustBeforeItExpires() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    ClaimRecord issued = record(key);
    time.advance(TTL.minus(MICRO));
    Acquired answer = acquired(request(key, "anna", 1).requireIssued(true).build());
    assertThat(answer).isEqualTo(new Acquired(clock(), 1, false, LEASE));
    assertThat(record(key).created()).isEqualTo(issued.created());
    assertThat(record(key).updated()).isEqualTo(time.now());
  }

  @Test
  void anIssuedKeyIsAcquiredByWhoDoesNotRequireIt() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    assertThat(claim(request(key, "anna", 1))).isInstanceOf(Acquired.class);
  }

  @Test
  void aKeyThatMustBeIssuedAndWasUsedAnswersAsAnyOther() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    assertThat(claim(request(key, "bert", 2).requireIssued(true))).isInstanceOf(Completed.class);
  }

  @Test
  void theTokenOfANewClaimIsTheStoresClockInMicroseconds() {
    assertThat(acquired(request(newKey(), "anna", 1).build()).token()).isEqualTo(clock());
  }

  @Test
  void theTokenGrowsAlsoWhileTheClockStands() {
    IdempotencyKey key = newKey();
    Claim first = acquire(request(key, "anna", 1));
    apply(first, new Settlement.Release());
    assertThat(acquired(request(key, "bert", 2).build()).token()).isEqualTo(first.token() + 1);
  }

  @Test
  void theTokenReachesAFloorThatIsAheadOfTheClock() {
    long floor = clock() + 1_000_000_007L;
    Acquired answer = acquired(request(newKey(), "anna", 1).tokenFloor(floor).build());
    assertThat(answer.token()).isEqualTo(floor);
  }

  @Test
  void theTokenExceedsThePreviousOneAlsoIfTheFloorIsBelow() {
    IdempotencyKey key = newKey();
    Claim ahead = acquire(request(key, "anna", 1).tokenFloor(clock() + 5_000_000_000_000L));
    afterLease();
    Acquired answer = acquired(request(key, "bert", 2).tokenFloor(clock()).build());
    assertThat(answer.token()).isEqualTo(ahead.token() + 1);
  }

  @Test
  void tokensOfFiftyThreeBitsKeepEveryDigit() {
    IdempotencyKey key = newKey();
    long floor = (1L << 53) - 3;
    Claim ahead = acquire(request(key, "anna", 1).tokenFloor(floor));
    assertThat(ahead.token()).isEqualTo(floor);
    afterLease();
    assertThat(acquired(request(key, "bert", 2).build()).token()).isEqualTo(floor + 1);
    assertThat(record(key).token()).isEqualTo(floor + 1);
  }

  @Test
  void theTokenGrowsAfterTheKeyWasForgotten() {
    IdempotencyKey key = newKey();
    Claim first = acquire(request(key, "anna", 1));
    time.advance(MICRO);
    store.forget(key);
    assertThat(acquired(request(key, "bert", 2).build()).token()).isGreaterThan(first.token());
  }

  @Test
  void aRequestIsJudgedUpToTheMomentItNames() {
    ClaimRequest.Builder request = request(newKey(), "anna", 1).notAfter(time.now());
    assertThat(claim(request)).isInstanceOf(Acquired.class);
  }

  @Test
  void aLateCopyOfARequestDoesNothing() {
    IdempotencyKey key = newKey();
    ClaimRequest.Builder late = request(key, "anna", 1).notAfter(time.now().minus(MICRO));
    assertThat(claim(late)).isEqualTo(new RequestExpired());
    assertAbsent(key);
  }

  @Test
  void aLateCopyIsToldSoWhateverItFinds() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).notAfter(time.now().plus(LEASE)).build();
    Claim claim = request.claim(acquired(request).token());
    apply(claim, DONE);
    time.advance(LEASE.plus(MICRO));
    assertThat(claim(request)).isEqualTo(new RequestExpired());
    assertThat(claim(request(key, "bert", 2).requireIssued(true).notAfter(time.now().minus(MICRO))))
        .isEqualTo(new RequestExpired());
  }

  @Test
  void aRequestSentAgainWithABetterEstimateIsAcquired() {
    ClaimRequest late = request(newKey(), "anna", 1).notAfter(time.now().minus(MICRO)).build();
    assertThat(claim(late)).isEqualTo(new RequestExpired());
    assertThat(claim(late.withNotAfter(time.now()))).isInstanceOf(Acquired.class);
  }
}
