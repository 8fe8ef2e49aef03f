// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.Failed;
import io.dedup.claim.ClaimAnswer.InDoubt;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimAnswer.NotIssued;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is sent again because its answer was lost gets that answer, and does nothing a second
 * time.
 */
abstract class Resends extends ContractSection {

  Resends(ClaimStoreContract contract) {
    super(contract);
  }

  static List<Settlement> settlements() {
    return List.of(
        new Settlement.Start(),
        new Settlement.Complete(RECEIPT, TTL),
        new Settlement.Fail("boom", TTL, LEASE),
        new Settlement.Release());
  }

  @ParameterizedTest
  @EnumSource(ClaimStart.class)
  void aClaimGetsTheSameTokenAndWhatIsLeftOfItsLease(ClaimStart start) {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).start(start).build();
    Acquired first = acquired(request);
    ClaimRecord before = record(key);
    time.advance(Duration.ofMinutes(4));
    assertThat(claim(request))
        .isEqualTo(new Acquired(first.token(), 1, false, LEASE.minusMinutes(4)));
    assertThat(record(key)).isEqualTo(before);
  }

  @Test
  void aClaimSentAgainThroughAnotherProcessIsTheSameClaim() {
    ClaimRequest request = request(newKey(), "anna", 1).build();
    Acquired first = acquired(request);
    ClaimStore other = anotherProcess();
    assertThat(other.claim(List.of(request)).claimed()).containsExactly(first);
  }

  @Test
  void aClaimWhoseLeaseIsOverGetsItsTokenAgainAndANewLease() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    Acquired first = acquired(request);
    afterLease();
    ClaimRequest held = request(key, "anna", 1).claimId(request.claimId()).build();
    assertThat(claim(held)).isEqualTo(first);
    ClaimRecord record = record(key);
    assertThat(record.attempts()).isEqualTo(1);
    assertThat(record.busyUntil()).isEqualTo(time.now().plus(LEASE));
    assertThat(record.expires()).isEqualTo(time.now().plus(LEASE).plus(TTL));
  }

  @Test
  void aTakeoverSentAgainStaysATakeoverAndOneAttempt() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    ClaimRequest request = request(key, "bert", 2).build();
    Acquired first = acquired(request);
    assertThat(first).isEqualTo(new Acquired(clock(), 2, true, LEASE));
    assertThat(claim(request)).isEqualTo(first);
    assertThat(record(key).attempts()).isEqualTo(2);
  }

  @Test
  void aForcedClaimSentAgainIsForcedOnce() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    ClaimRequest forced = request(key, "bert", 2).force(true).build();
    Acquired first = acquired(forced);
    ClaimRecord record = record(key);
    assertThat(claim(forced)).isEqualTo(first);
    assertThat(record(key)).isEqualTo(record);
  }

  @Test
  void aClaimThatWasTakenOverMeanwhileIsNotGivenBack() {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    acquired(request);
    afterLease();
    acquire(request(key, "bert", 2));
    assertThat(claim(request)).isEqualTo(new InProgress("bert", LEASE, origin(2)));
  }

  @Test
  void anIssuedKeysClaimIsNotRefusedTheSecondTime() {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    ClaimRequest request = request(key, "anna", 1).requireIssued(true).build();
    Acquired first = acquired(request);
    assertThat(claim(request)).isEqualTo(first);
  }

  @Test
  void refusalsAreRepeated() {
    assertRepeated(new NotIssued(), request(newKey(), "bert", 2).requireIssued(true));
    IdempotencyKey held = newKey();
    Claim claim = acquire(request(held, "anna", 1));
    assertRepeated(new InProgress("anna", LEASE, origin(1)), request(held, "bert", 2));
    assertRepeated(new Conflict(ORDER), request(held, "bert", 2).fingerprint(OTHER_ORDER));
    IdempotencyKey failed = newKey();
    apply(acquire(request(failed, "anna", 1)), new Settlement.Fail("boom", TTL, Duration.ZERO));
    assertRepeated(
        new Failed("boom", origin(1)), request(failed, "b", 2).onFailed(OnFailed.REPORT));
    afterLease();
    assertRepeated(
        new InDoubt("anna", claim.token(), time.now()),
        request(held, "bert", 2).onLeaseExpired(OnLeaseExpired.HOLD));
  }

  private void assertRepeated(ClaimAnswer answer, ClaimRequest.Builder builder) {
    ClaimRequest request = builder.build();
    assertThat(claim(request)).isEqualTo(answer);
    assertThat(claim(request)).isEqualTo(answer);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void aSettlementIsAppliedOnceAndAnsweredEachTime(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    apply(claim, settlement);
    ClaimRecord settled = record(key);
    time.advance(Duration.ofMinutes(1));
    apply(claim, settlement);
    assertThat(record(key)).isEqualTo(settled);
  }

  @Test
  void aCompletionSentAgainLongAfterDoesNotMoveItsExpiry() {
    Claim claim = acquire(request(newKey(), "anna", 1));
    apply(claim, DONE);
    ClaimRecord done = record(claim.key());
    time.advance(TTL.minus(MICRO));
    apply(claim, DONE);
    assertThat(record(claim.key())).isEqualTo(done);
  }

  @Test
  void anAttachedResultSentAgainIsThereOnce() {
    Claim claim = acquire(request(newKey(), "anna", 1));
    apply(claim, DONE);
    apply(claim, new Settlement.Attach(RECEIPT));
    ClaimRecord attached = record(claim.key());
    apply(claim, new Settlement.Attach(RECEIPT));
    apply(claim, DONE);
    assertThat(record(claim.key())).isEqualTo(attached);
  }

  @Test
  void aRenewalSentAgainCountsFromWhenItArrives() {
    Claim claim = acquire(request(newKey(), "anna", 1));
    apply(claim, new Settlement.Renew(LEASE, TTL));
    time.advance(Duration.ofMinutes(1));
    apply(claim, new Settlement.Renew(LEASE, TTL));
    assertThat(record(claim.key()).busyUntil()).isEqualTo(time.now().plus(LEASE));
  }

  @Test
  void aWholeBatchSentAgainGetsTheSameAnswers() {
    Claim done = acquire(request(newKey(), "anna", 1));
    Claim released = acquire(request(newKey(), "anna", 2));
    IdempotencyKey absent = newKey();
    List<SettleRequest> settlements =
        List.of(
            new SettleRequest(done, new Settlement.Complete(RECEIPT, TTL)),
            new SettleRequest(released, new Settlement.Fail("boom", TTL, LEASE)));
    List<ClaimRequest> claims =
        List.of(
            request(absent, "anna", 3).build(),
            request(done.key(), "anna", 4).build(),
            request(released.key(), "anna", 5).build());
    Exchange first = store.exchange(settlements, claims);
    assertThat(store.exchange(settlements, claims)).isEqualTo(first);
  }

  @Test
  void aBatchThatReleasesAndClaimsAnewIsSentAgainSafely() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    List<SettleRequest> release = List.of(new SettleRequest(claim, new Settlement.Release()));
    List<ClaimRequest> anew = List.of(request(key, "anna", 1).build());
    Exchange first = store.exchange(release, anew);
    ClaimRecord record = record(key);
    Exchange again = store.exchange(release, anew);
    assertThat(again.claimed()).isEqualTo(first.claimed());
    assertThat(again.settled()).containsExactly(fencedBy(record));
    assertThat(record(key)).isEqualTo(record);
  }
}
