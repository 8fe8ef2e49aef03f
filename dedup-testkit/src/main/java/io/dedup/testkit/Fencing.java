// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Settlements by claims that are not their key's newest: each is refused, names the holder, and
 * changes nothing.
 */
abstract class Fencing extends ContractSection {

  private static final Settlement COMPLETE = new Settlement.Complete(RECEIPT, TTL.multipliedBy(9));
  private static final Settlement FAIL = new Settlement.Fail("late", TTL.multipliedBy(9), LEASE);
  private static final Settlement RELEASE = new Settlement.Release();

  Fencing(ClaimStoreContract contract) {
    super(contract);
  }

  /** Every settlement there is. */
  static List<Settlement> settlements() {
    return List.of(
        new Settlement.Start(),
        new Settlement.Renew(TTL, TTL.multipliedBy(9)),
        COMPLETE,
        new Settlement.Attach(RECEIPT),
        FAIL,
        RELEASE);
  }

  /**
   * Each way to end a claim, with each settlement but its own copy; attaching the result that is
   * there is one, too.
   */
  static Stream<Arguments> settlementsAfterAnother() {
    return Stream.of(COMPLETE, FAIL, RELEASE)
        .flatMap(
            end ->
                settlements().stream()
                    .filter(late -> late != end)
                    .filter(late -> end != COMPLETE || !(late instanceof Settlement.Attach))
                    .map(late -> Arguments.of(end, late)));
  }

  private void assertRefused(Claim claim, Settlement settlement) {
    ClaimRecord before = record(claim.key());
    assertThat(settle(claim, settlement)).isEqualTo(fencedBy(before));
    assertThat(record(claim.key())).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void whoWasTakenOverSettlesNothing(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim stale = acquire(request(key, "anna", 1).start(ClaimStart.RECORDED_LATER));
    afterLease();
    acquire(request(key, "bert", 2).start(ClaimStart.RECORDED_LATER));
    assertRefused(stale, settlement);
    afterLease();
    assertRefused(stale, settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void whoWasTakenOverSettlesNothingThroughAnotherProcessEither(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim stale = acquire(request(key, "anna", 1));
    afterLease();
    acquire(request(key, "bert", 2));
    ClaimRecord before = record(key);
    ClaimStore zombie = anotherProcess();
    SettleAnswer answer =
        zombie.settle(List.of(new SettleRequest(stale, settlement))).settled().get(0);
    assertThat(answer).isEqualTo(fencedBy(before));
    assertThat(record(key)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void whatASuccessorCompletedStays(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim stale = acquire(request(key, "anna", 1));
    afterLease();
    apply(acquire(request(key, "bert", 2)), DONE);
    assertRefused(stale, settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void whatASuccessorFailedOrGaveBackStays(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim stale = acquire(request(key, "anna", 1));
    afterLease();
    Claim second = acquire(request(key, "bert", 2));
    apply(second, new Settlement.Fail("boom", TTL, Duration.ZERO));
    assertRefused(stale, settlement);
    Claim third = acquire(request(key, "carl", 3));
    apply(third, RELEASE);
    assertRefused(stale, settlement);
    assertRefused(second, settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void theRightTokenWithAnotherClaimIdSettlesNothing(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    assertRefused(new Claim(key, ClaimId.next(), claim.token()), settlement);
    ClaimId other = new ClaimId(claim.id().process() + 1, claim.id().sequence());
    assertRefused(new Claim(key, other, claim.token()), settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void theRightClaimIdWithAnotherTokenSettlesNothing(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    assertRefused(new Claim(key, claim.id(), claim.token() - 1), settlement);
    assertRefused(new Claim(key, claim.id(), claim.token() + 1), settlement);
    assertRefused(new Claim(key, claim.id(), 0), settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void aDoneKeyIsNotSettledWithAnotherTokenOrId(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    assertRefused(new Claim(key, ClaimId.next(), claim.token()), settlement);
    assertRefused(new Claim(key, claim.id(), claim.token() + 1), settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void anAbsentKeyIsNotSettled(Settlement settlement) {
    IdempotencyKey key = newKey();
    assertThat(settle(new Claim(key, ClaimId.next(), clock()), settlement))
        .isEqualTo(fencedByNobody());
    assertAbsent(key);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void anIssuedKeyIsNotSettled(Settlement settlement) {
    IdempotencyKey key = newKey();
    store.issue(key, TTL);
    assertRefused(new Claim(key, ClaimId.next(), record(key).token()), settlement);
    assertRefused(new Claim(key, ClaimId.none(), record(key).token()), settlement);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void aForgottenKeyIsNotSettled(Settlement settlement) {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    store.forget(key);
    assertThat(settle(claim, settlement)).isEqualTo(fencedByNobody());
    assertAbsent(key);
  }

  @ParameterizedTest(name = "{1} after {0}")
  @MethodSource("settlementsAfterAnother")
  void aClaimThatHasSettledSettlesNothingElse(Settlement end, Settlement late) {
    Claim claim = acquire(request(newKey(), "anna", 1));
    apply(claim, end);
    time.advance(Duration.ofMinutes(1));
    assertRefused(claim, late);
  }

  @Test
  void twoOwnersInOneProcessAreTwoClaims() {
    IdempotencyKey key = newKey();
    ClaimRequest first = request(key, "anna", 1).build();
    ClaimRequest second = request(key, "anna", 1).build();
    Claim lost = first.claim(acquired(first).token());
    afterLease();
    Claim newest = second.claim(acquired(second).token());
    assertThat(settle(lost, DONE)).isEqualTo(fencedBy(record(key)));
    assertThat(record(key).state()).isEqualTo(State.PROCESSING);
    apply(newest, DONE);
    assertThat(settle(lost, DONE)).isEqualTo(fencedBy(record(key)));
  }

  @Test
  void theHolderIsNamedByStateTokenAndOwner() {
    IdempotencyKey key = newKey();
    Claim stale = acquire(request(key, "anna", 1));
    afterLease();
    Claim newest = acquire(request(key, "bert", 2));
    assertThat(settle(stale, DONE))
        .isEqualTo(new SettleAnswer.Fenced(new Holder(State.PROCESSING, newest.token(), "bert")));
  }
}
