// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.Failed;
import io.dedup.claim.ClaimAnswer.Fenced;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.Holder;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims of keys that are done, failed or given back. */
abstract class ClaimingSettledKeys extends ContractSection {

  private static final Settlement FAILED = new Settlement.Fail("boom", TTL, Duration.ZERO);
  private static final Settlement FAILED_FOR_A_MINUTE =
      new Settlement.Fail("boom", TTL, Duration.ofMinutes(1));

  ClaimingSettledKeys(ClaimStoreContract contract) {
    super(contract);
  }

  static List<Settlement> settlements() {
    return List.of(DONE, FAILED, FAILED_FOR_A_MINUTE, new Settlement.Release());
  }

  @Test
  void whatIsDoneIsCompletedForEverybody() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    time.advance(Duration.ofMinutes(3));
    apply(claim, new Settlement.Complete(RECEIPT, TTL));
    ClaimRecord done = record(key);
    Completed answer =
        new Completed(RECEIPT, origin(1), claim.token(), time.now(), time.now().plus(TTL));
    time.advance(Duration.ofMinutes(5));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(answer);
    assertThat(claim(request(key, "anna", 1))).isEqualTo(answer);
    assertThat(record(key)).isEqualTo(done);
  }

  @Test
  void whatIsDoneStaysDoneUntilItExpires() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    time.advance(TTL.minus(MICRO));
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Completed.class);
    time.advance(MICRO);
    assertThat(claim(request(key, "bert", 2))).isInstanceOf(Acquired.class);
  }

  @Test
  void aDuplicateNeverChangesTheExpiryUnlessAsked() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    ClaimRecord done = record(key);
    time.advance(Duration.ofMinutes(30));
    claim(ClaimRequest.builder(key, "bert", MICRO.multipliedBy(5000), TTL.multipliedBy(3)));
    assertThat(record(key)).isEqualTo(done);
  }

  @Test
  void aDuplicateThatSlidesKeepsTheKeyForAnotherTtl() {
    IdempotencyKey key = newKey();
    Claim claim = acquire(request(key, "anna", 1));
    apply(claim, DONE);
    ClaimRecord done = record(key);
    time.advance(Duration.ofMinutes(30));
    assertThat(claim(request(key, "bert", 2).slide(true)))
        .isEqualTo(
            new Completed(null, origin(1), claim.token(), done.updated(), time.now().plus(TTL)));
    assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL));
    assertThat(record(key).updated()).isEqualTo(done.updated());
  }

  @Test
  void aDuplicateThatSlidesNeverShortensTheExpiry() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    ClaimRecord done = record(key);
    ClaimRequest shorter = ClaimRequest.builder(key, "bert", LEASE, LEASE).slide(true).build();
    assertThat(((Completed) claim(shorter)).expires()).isEqualTo(done.expires());
    assertThat(record(key)).isEqualTo(done);
  }

  @Test
  void anotherMessageWithADoneKeyIsAConflict() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    ClaimRecord done = record(key);
    ClaimRequest.Builder other = request(key, "bert", 2).fingerprint(OTHER_ORDER);
    assertThat(claim(other)).isEqualTo(new Conflict(ORDER));
    assertThat(claim(other.force(true).slide(true))).isEqualTo(new Conflict(ORDER));
    assertThat(record(key)).isEqualTo(done);
  }

  @Test
  void anotherMessageMayUseAKeyThatFailed() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), FAILED);
    Claim claim = acquire(request(key, "bert", 2).fingerprint(OTHER_ORDER));
    assertThat(record(key).fingerprint()).isEqualTo(OTHER_ORDER);
    assertThat(record(key).error()).isNull();
    apply(claim, DONE);
    assertThat(claim(request(key, "carl", 1))).isEqualTo(new Conflict(OTHER_ORDER));
  }

  @Test
  void anotherMessageMayUseAKeyThatWasGivenBack() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), new Settlement.Release());
    acquire(request(key, "bert", 2).fingerprint(OTHER_ORDER));
    assertThat(record(key).fingerprint()).isEqualTo(OTHER_ORDER);
  }

  @Test
  void aFailureRunsAgainAtOnceIfItHasNoBackOff() {
    IdempotencyKey key = newKey();
    Claim failed = acquire(request(key, "anna", 1));
    apply(failed, FAILED);
    assertThat(claim(request(key, "bert", 2)))
        .isEqualTo(new Acquired(failed.token() + 1, 1, false, LEASE));
  }

  @ParameterizedTest
  @EnumSource(OnFailed.class)
  void aFailureIsInProgressUntilItsBackOffIsOver(OnFailed policy) {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), FAILED_FOR_A_MINUTE);
    ClaimRecord failed = record(key);
    time.advance(Duration.ofMinutes(1).minus(MICRO));
    assertThat(claim(request(key, "bert", 2).onFailed(policy)))
        .isEqualTo(new InProgress("anna", MICRO, origin(1)));
    assertThat(record(key)).isEqualTo(failed);
  }

  @Test
  void aFailureRunsAgainTheMomentItsBackOffIsOver() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), FAILED_FOR_A_MINUTE);
    time.advance(Duration.ofMinutes(1));
    assertThat(claim(request(key, "bert", 2))).isEqualTo(new Acquired(clock(), 1, false, LEASE));
  }

  @Test
  void aFailureIsReportedIfThePolicySaysSo() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), FAILED_FOR_A_MINUTE);
    ClaimRecord failed = record(key);
    time.advance(Duration.ofMinutes(1));
    assertThat(claim(request(key, "bert", 2).onFailed(OnFailed.REPORT)))
        .isEqualTo(new Failed("boom", origin(1)));
    assertThat(record(key)).isEqualTo(failed);
  }

  @ParameterizedTest
  @EnumSource(OnLeaseExpired.class)
  void whatWasGivenBackIsAcquiredWhateverThePolicy(OnLeaseExpired policy) {
    IdempotencyKey key = newKey();
    Claim first = acquire(request(key, "anna", 1));
    apply(first, new Settlement.Release());
    ClaimRequest.Builder next = request(key, "bert", 2).onLeaseExpired(policy);
    assertThat(claim(next.onFailed(OnFailed.REPORT)))
        .isEqualTo(new Acquired(first.token() + 1, 1, false, LEASE));
  }

  @Test
  void theReleaseOfWhatDidNotStartForgetsNoAttempt() {
    IdempotencyKey key = newKey();
    acquire(request(key, "anna", 1));
    afterLease();
    acquire(request(key, "bert", 2));
    afterLease();
    apply(
        acquire(request(key, "carl", 3).start(ClaimStart.RECORDED_LATER)),
        new Settlement.Release());
    assertThat(acquired(request(key, "dora", 4).build()).attempt()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void aClaimIdWorksOnce(Settlement settlement) {
    IdempotencyKey key = newKey();
    ClaimRequest request = request(key, "anna", 1).build();
    apply(request.claim(acquired(request).token()), settlement);
    ClaimRecord settled = record(key);
    time.advance(Duration.ofMinutes(1));
    assertThat(claim(request)).isEqualTo(new Fenced(Holder.of(settled)));
    assertThat(record(key)).isEqualTo(settled);
  }

  @Test
  void aForcedRecordRunsAlthoughItsKeyIsDone() {
    IdempotencyKey key = newKey();
    Claim first = acquire(request(key, "anna", 1));
    apply(first, new Settlement.Complete(RECEIPT, TTL));
    assertThat(claim(request(key, "bert", 2).force(true)))
        .isEqualTo(new Acquired(first.token() + 1, 1, false, LEASE));
    ClaimRecord forced = record(key);
    assertThat(forced.state()).isEqualTo(State.PROCESSING);
    assertThat(forced.forced()).containsExactly(origin(1), origin(2));
    assertThat(forced.result()).isNull();
  }

  @Test
  void aForcedRecordRunsOnce() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    apply(acquire(request(key, "bert", 2).force(true)), DONE);
    assertThat(claim(request(key, "carl", 2).force(true))).isInstanceOf(Completed.class);
    assertThat(claim(request(key, "carl", 1).force(true))).isInstanceOf(Completed.class);
    apply(acquire(request(key, "carl", 3).force(true)), DONE);
    assertThat(claim(request(key, "dora", 2).force(true))).isInstanceOf(Completed.class);
    assertThat(record(key).forced()).containsExactly(origin(1), origin(2), origin(3));
  }

  @Test
  void aRecordForcedWhileNothingIsDoneIsAnOrdinaryOne() {
    IdempotencyKey key = newKey();
    Claim first = acquire(request(key, "anna", 1).force(true));
    assertThat(claim(request(key, "bert", 2).force(true))).isInstanceOf(InProgress.class);
    apply(first, DONE);
    assertThat(record(key).forced()).isEmpty();
  }

  @Test
  void forcedOriginsAreRememberedThroughCrashesFailuresAndReleases() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    acquire(request(key, "bert", 2).force(true));
    afterLease();
    apply(acquire(request(key, "carl", 2).force(true)), FAILED);
    apply(acquire(request(key, "dora", 2).force(true)), new Settlement.Release());
    apply(acquire(request(key, "emil", 2).force(true)), DONE);
    assertThat(claim(request(key, "fred", 2).force(true))).isInstanceOf(Completed.class);
    assertThat(record(key).forced()).containsExactly(origin(1), origin(2));
  }

  @Test
  void aKeyThatRemembersAllTheOriginsItCanIsNotForcedAgain() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    for (int offset = 2; offset <= ClaimRecord.FORCED_MAX; offset++) {
      apply(acquire(request(key, "anna", offset).force(true)), DONE);
    }
    assertThat(record(key).forced()).hasSize(ClaimRecord.FORCED_MAX);
    assertThat(claim(request(key, "bert", 99).force(true))).isInstanceOf(Completed.class);
  }

  @Test
  void forcedOriginsNeverExceedTheirLimitAlsoIfTwoAreAddedAtOnce() {
    IdempotencyKey key = newKey();
    apply(acquire(request(key, "anna", 1)), DONE);
    for (int offset = 2; offset < ClaimRecord.FORCED_MAX; offset++) {
      apply(acquire(request(key, "anna", offset).force(true)), DONE);
    }
    // Reopened, and done by a record that was not forced: the next forced one would add two.
    store.reopen(key, "operator", "again");
    apply(acquire(request(key, "anna", 50)), DONE);
    assertThat(record(key).forced()).hasSize(ClaimRecord.FORCED_MAX - 1);
    assertThat(claim(request(key, "bert", 99).force(true))).isInstanceOf(Completed.class);
  }
}
