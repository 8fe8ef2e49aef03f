// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one process does, the other sees in its next call: nobody answers from memory. */
abstract class SeveralProcesses extends ContractSection {

  private ClaimStore here;
  private ClaimStore there;

  SeveralProcesses(ClaimStoreContract contract) {
    super(contract);
  }

  @BeforeEach
  void openBoth() {
    here = tested;
    there = anotherProcess();
  }

  private static ClaimAnswer claim(ClaimStore store, ClaimRequest.Builder request) {
    return store.claim(List.of(request.build())).claimed().get(0);
  }

  private static Claim acquire(ClaimStore store, ClaimRequest.Builder builder) {
    ClaimRequest request = builder.build();
    return request.claim(((Acquired) store.claim(List.of(request)).claimed().get(0)).token());
  }

  private static SettleAnswer settle(ClaimStore store, Claim claim, Settlement settlement) {
    return store.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  @Test
  void aClaimOfTheOneIsInProgressForTheOther() {
    IdempotencyKey key = newKey();
    acquire(here, request(key, "here", 1));
    assertThat(claim(there, request(key, "there", 2)))
        .isEqualTo(new InProgress("here", LEASE, origin(1)));
    assertThat(there.find(key)).isEqualTo(here.find(key)).isPresent();
  }

  @Test
  void aClaimMayBeSettledThroughEither() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(here, request(key, "here", 1));
    assertThat(settle(there, claim, DONE)).isEqualTo(APPLIED);
    assertThat(settle(here, claim, DONE)).isEqualTo(APPLIED);
    assertThat(claim(here, request(key, "here", 2))).isInstanceOf(Completed.class);
  }

  @Test
  void whatTheOneReopensTheOtherRunsAlthoughItHasSeenItDone() {
    IdempotencyKey key = newKey();
    settle(here, acquire(here, request(key, "here", 1)), DONE);
    assertThat(claim(here, request(key, "here", 2))).isInstanceOf(Completed.class);
    assertThat(claim(there, request(key, "there", 3))).isInstanceOf(Completed.class);
    assertThat(there.reopen(key, "olga", "again")).isEqualTo(APPLIED);
    assertThat(claim(here, request(key, "here", 4))).isInstanceOf(Acquired.class);
    assertThat(claim(there, request(key, "there", 5))).isInstanceOf(InProgress.class);
  }

  @Test
  void whatTheOneForgetsTheOtherDoesNotKnow() {
    IdempotencyKey key = newKey();
    settle(here, acquire(here, request(key, "here", 1)), DONE);
    assertThat(there.find(key)).isPresent();
    assertThat(here.forget(key)).isTrue();
    assertThat(there.find(key)).isEmpty();
    assertThat(claim(there, request(key, "there", 2))).isInstanceOf(Acquired.class);
  }

  @Test
  void whatTheOneIssuesTheOtherClaims() {
    IdempotencyKey key = newKey();
    assertThat(here.issue(key, TTL)).isTrue();
    acquire(there, request(key, "there", 1).requireIssued(true));
    assertThat(here.issue(key, TTL)).isFalse();
  }

  @Test
  void aRenewalOfTheOneHoldsAgainstTheOther() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(here, request(key, "here", 1));
    time.advance(LEASE.minus(MICRO));
    assertThat(settle(here, claim, new Settlement.Renew(LEASE, TTL))).isEqualTo(APPLIED);
    time.advance(LEASE.minus(MICRO));
    assertThat(claim(there, request(key, "there", 2))).isInstanceOf(InProgress.class);
  }

  @Test
  void aTakeoverByTheOneFencesTheOther() {
    IdempotencyKey key = newKey();
    Claim stale = acquire(here, request(key, "here", 1));
    afterLease();
    Claim newest = acquire(there, request(key, "there", 2));
    assertThat(settle(here, stale, DONE)).isInstanceOf(SettleAnswer.Fenced.class);
    assertThat(settle(there, newest, DONE)).isEqualTo(APPLIED);
    assertThat(here.find(key).orElseThrow().state()).isEqualTo(State.SUCCEEDED);
    assertThat(here.find(key).orElseThrow().owner()).isEqualTo("there");
  }
}
