// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.DONE;
import static io.dedup.claim.Samples.FAILED;
import static io.dedup.claim.Samples.JUST_BEFORE;
import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.LONG_BEFORE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.RELEASED;
import static io.dedup.claim.Samples.RESULT;
import static io.dedup.claim.Samples.TABLE;
import static io.dedup.claim.Samples.TTL;
import static io.dedup.claim.Samples.claimed;
import static io.dedup.claim.Samples.holder;
import static io.dedup.claim.Samples.issued;
import static io.dedup.claim.Samples.mine;
import static io.dedup.claim.Samples.othersClaimed;
import static io.dedup.claim.Samples.othersSettled;
import static io.dedup.claim.Samples.settled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a settlement is answered, and what it makes of the record. */
class SettleRowsTest {

  private static final StoredResult OTHER_RESULT = new StoredResult("text/plain", new byte[] {0});
  private static final Settlement START = new Settlement.Start();
  private static final Settlement RENEW = new Settlement.Renew(LEASE, TTL);
  private static final Settlement ATTACH = new Settlement.Attach(RESULT);
  private static final Settlement DONE_WITHOUT_RESULT = new Settlement.Complete(null, TTL);

  static List<Settlement> all() {
    return List.of(START, RENEW, DONE, ATTACH, FAILED, RELEASED);
  }

  static Stream<Arguments> strangers() {
    List<Arguments> rows = new ArrayList<>();
    for (ClaimRecord record :
        List.of(
            issued(JUST_BEFORE),
            othersClaimed(JUST_BEFORE),
            othersClaimed(LONG_BEFORE),
            othersSettled(DONE, JUST_BEFORE),
            othersSettled(DONE_WITHOUT_RESULT, JUST_BEFORE),
            othersSettled(FAILED, JUST_BEFORE),
            othersSettled(RELEASED, JUST_BEFORE))) {
      for (Settlement settlement : all()) {
        Claim newest = holder(record);
        for (Claim claim :
            List.of(
                new Claim(newest.key(), Samples.MINE, newest.token()),
                new Claim(newest.key(), newest.id(), newest.token() - 1),
                new Claim(newest.key(), newest.id(), newest.token() + 1))) {
          rows.add(Arguments.of(record.state(), record, claim, settlement));
        }
      }
    }
    return rows.stream();
  }

  @ParameterizedTest(name = "{0}, {3}")
  @MethodSource("strangers")
  void anotherClaimIdOrTokenIsFenced(
      State state, ClaimRecord record, Claim claim, Settlement settlement) {
    Transition<SettleAnswer> transition =
        TABLE.settle(record, new SettleRequest(claim, settlement), NOW);

    assertThat(transition.changes()).isFalse();
    assertThat(transition.answer())
        .isEqualTo(new SettleAnswer.Fenced(new Holder(state, record.token(), record.owner())));
  }

  @ParameterizedTest
  @MethodSource("all")
  void whereThereIsNoRecordNobodySettles(Settlement settlement) {
    SettleRequest request = new SettleRequest(holder(othersClaimed(JUST_BEFORE)), settlement);

    assertThat(TABLE.settle(null, request, NOW))
        .isEqualTo(Transition.unchanged(new SettleAnswer.Fenced(Holder.nobody())));
  }

  @ParameterizedTest
  @MethodSource("all")
  void anExpiredRecordIsNotSettledByItsOwnClaim(Settlement settlement) {
    ClaimRecord expired = othersClaimed(NOW.minus(TTL).minus(LEASE));

    assertThat(settle(expired, settlement))
        .isEqualTo(Transition.unchanged(new SettleAnswer.Fenced(Holder.nobody())));
  }

  static Stream<Arguments> settledAlready() {
    List<Arguments> rows = new ArrayList<>();
    for (Settlement first : List.of(DONE, DONE_WITHOUT_RESULT, FAILED, RELEASED)) {
      for (Settlement second : all()) {
        boolean same = first.getClass() == second.getClass();
        boolean attaches =
            first instanceof Settlement.Complete complete
                && second instanceof Settlement.Attach
                && complete.result() == null;
        boolean attached = first == DONE && second == ATTACH;
        rows.add(Arguments.of(first, second, same || attached || attaches, attaches));
      }
    }
    return rows.stream();
  }

  @ParameterizedTest(name = "{0}, then {1}")
  @MethodSource("settledAlready")
  void whatIsSettledIsSettledOnce(
      Settlement first, Settlement second, boolean isApplied, boolean isChanged) {
    ClaimRecord record = othersSettled(first, JUST_BEFORE);

    Transition<SettleAnswer> transition = settle(record, second);

    assertThat(transition.answer())
        .isEqualTo(
            isApplied ? new SettleAnswer.Applied() : new SettleAnswer.Fenced(Holder.of(record)));
    assertThat(transition.changes()).isEqualTo(isChanged);
  }

  static Stream<Arguments> leases() {
    return Stream.of(
        Arguments.of("running", othersClaimed(JUST_BEFORE)),
        Arguments.of("over", othersClaimed(LONG_BEFORE)),
        Arguments.of("of a takeover", claimed(othersClaimed(LONG_BEFORE), mine().build(), NOW)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leases")
  void theNewestClaimCompletesWhetherItsLeaseRunsOrNot(String lease, ClaimRecord record) {
    Transition<SettleAnswer> transition = settle(record, DONE);

    assertThat(transition)
        .isEqualTo(
            Transition.to(
                Records.from(record)
                    .state(State.SUCCEEDED)
                    .result(RESULT)
                    .attempts(0)
                    .busyUntil(NOW)
                    .expires(NOW.plus(TTL))
                    .changed(NOW)
                    .build(),
                new SettleAnswer.Applied()));
  }

  @Test
  void whatTheKeyStandsForSurvivesItsCompletion() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);

    ClaimRecord done = settled(record, DONE, NOW);

    assertThat(done.fingerprint()).isEqualTo(record.fingerprint());
    assertThat(done.origin()).isEqualTo(record.origin());
    assertThat(done.created()).isEqualTo(record.created());
    assertThat(done.token()).isEqualTo(record.token());
    assertThat(done.owner()).isEqualTo(record.owner());
  }

  @Test
  void aFailureIsKeptWithItsErrorAndItsBackOff() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);
    Duration ttl = Duration.ofHours(1);

    ClaimRecord failed = settled(record, new Settlement.Fail("no", ttl, LEASE), NOW);

    assertThat(failed)
        .isEqualTo(
            Records.from(record)
                .state(State.FAILED)
                .error("no")
                .attempts(0)
                .changed(NOW)
                .busyUntil(NOW.plus(LEASE))
                .expires(NOW.plus(ttl))
                .build());
  }

  @Test
  void aReleaseKeepsTheRecordAsLongAsItWasKept() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);

    assertThat(settled(record, RELEASED, NOW))
        .isEqualTo(Records.from(record).state(State.RELEASED).attempts(0).changed(NOW).build());
  }

  @Test
  void theReleaseOfWhatNeverStartedLeavesTheAttemptsBeforeIt() {
    ClaimRecord crashed = othersClaimed(LONG_BEFORE);
    ClaimRecord ahead = claimed(crashed, mine().start(ClaimStart.RECORDED_LATER).build(), NOW);

    assertThat(settled(ahead, RELEASED, NOW).attempts()).isEqualTo(1);
  }

  @Test
  void aStartCountsOnceHoweverOftenItIsSent() {
    ClaimRecord waiting = othersClaimed(JUST_BEFORE, ClaimStart.RECORDED_LATER);

    ClaimRecord started = settled(waiting, START, NOW);

    assertThat(started)
        .isEqualTo(Records.from(waiting).start(StartMark.STARTED).attempts(1).build());
    assertThat(settle(started, START)).isEqualTo(Transition.unchanged(new SettleAnswer.Applied()));
  }

  @Test
  void aRenewalMovesLeaseAndExpiry() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);

    Instant until = NOW.plus(LEASE);
    assertThat(settled(record, RENEW, NOW))
        .isEqualTo(Records.from(record).busyUntil(until).expires(until.plus(TTL)).build());
  }

  @Test
  void aRenewalNeverCutsALeaseThatLastsLonger() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);
    Settlement shorter = new Settlement.Renew(Duration.ofSeconds(1), Duration.ofSeconds(1));

    assertThat(settle(record, shorter)).isEqualTo(Transition.unchanged(new SettleAnswer.Applied()));
  }

  @Test
  void aRenewalRevivesALeaseThatNobodyTookOver() {
    ClaimRecord record = othersClaimed(LONG_BEFORE);

    assertThat(settled(record, RENEW, NOW).busyUntil()).isEqualTo(NOW.plus(LEASE));
  }

  @Test
  void aResultIsAttachedOnce() {
    ClaimRecord done = othersSettled(DONE_WITHOUT_RESULT, JUST_BEFORE);

    ClaimRecord attached = settled(done, ATTACH, NOW);

    assertThat(attached).isEqualTo(Records.from(done).result(RESULT).build());
    assertThat(settle(attached, ATTACH).answer()).isEqualTo(new SettleAnswer.Applied());
    assertThat(settle(attached, new Settlement.Attach(OTHER_RESULT)))
        .isEqualTo(Transition.unchanged(new SettleAnswer.Fenced(Holder.of(attached))));
  }

  @Test
  void aResultIsNotAttachedToWhatIsInProgress() {
    ClaimRecord record = othersClaimed(JUST_BEFORE);

    assertThat(settle(record, ATTACH))
        .isEqualTo(Transition.unchanged(new SettleAnswer.Fenced(Holder.of(record))));
  }

  private static Transition<SettleAnswer> settle(
      @Nullable ClaimRecord record, Settlement settlement) {
    return TABLE.settle(record, new SettleRequest(holder(record), settlement), NOW);
  }
}
