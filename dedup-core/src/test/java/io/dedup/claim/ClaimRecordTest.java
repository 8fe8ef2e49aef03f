// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.BODY;
import static io.dedup.claim.Samples.DONE;
import static io.dedup.claim.Samples.FAILED;
import static io.dedup.claim.Samples.HERE;
import static io.dedup.claim.Samples.JUST_BEFORE;
import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.LONG_BEFORE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.OTHER_BODY;
import static io.dedup.claim.Samples.RELEASED;
import static io.dedup.claim.Samples.TABLE;
import static io.dedup.claim.Samples.THERE;
import static io.dedup.claim.Samples.TTL;
import static io.dedup.claim.Samples.claimed;
import static io.dedup.claim.Samples.issued;
import static io.dedup.claim.Samples.micros;
import static io.dedup.claim.Samples.mine;
import static io.dedup.claim.Samples.others;
import static io.dedup.claim.Samples.othersClaimed;
import static io.dedup.claim.Samples.othersSettled;
import static io.dedup.claim.Samples.settled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the record of a new claim holds, and what it inherits. */
class ClaimRecordTest {

  @Test
  void aNewClaimWritesDownWhatItSaid() {
    assertThat(claimed(null, mine().build(), NOW))
        .isEqualTo(
            new ClaimRecord(
                State.PROCESSING,
                Samples.MINE,
                micros(NOW),
                "me",
                NOW.plus(LEASE),
                StartMark.STARTED,
                false,
                1,
                BODY,
                HERE,
                List.of(),
                null,
                null,
                NOW,
                NOW,
                NOW.plus(LEASE).plus(TTL)));
  }

  @ParameterizedTest
  @EnumSource(ClaimStart.class)
  void onlyAClaimThatStartsAtOnceCountsAsAnAttempt(ClaimStart start) {
    ClaimRecord record = claimed(null, mine().start(start).build(), NOW);

    assertThat(record.start()).isEqualTo(start.mark());
    boolean now = start == ClaimStart.NOW || start == ClaimStart.IN_TRANSACTION;
    assertThat(record.attempts()).isEqualTo(now ? 1 : 0);
  }

  @Test
  void theStoresTimeIsCutToMicroseconds() {
    assertThat(claimed(null, mine().build(), NOW.plusNanos(999)))
        .isEqualTo(claimed(null, mine().build(), NOW));
  }

  @Test
  void durationsAreRoundedUpToMicroseconds() {
    ClaimRequest request =
        ClaimRequest.builder(Samples.KEY, "me", LEASE.plusNanos(1), TTL.plusNanos(1)).build();

    ClaimRecord record = claimed(null, request, NOW);

    Instant until = NOW.plus(LEASE).plusNanos(1000);
    assertThat(record.busyUntil()).isEqualTo(until);
    assertThat(record.expires()).isEqualTo(until.plus(TTL).plusNanos(1000));
  }

  @Test
  void theTokenExceedsThatOfTheRecordThoughTheClockDoesNot() {
    ClaimRecord fromTomorrow = othersSettled(RELEASED, NOW.plus(Duration.ofDays(1)));

    assertThat(claimed(fromTomorrow, mine().build(), NOW).token())
        .isEqualTo(fromTomorrow.token() + 1);
  }

  @Test
  void theTokenExceedsThatOfAnExpiredRecordToo() {
    ClaimRecord expired =
        Records.from(othersSettled(DONE, NOW.minus(TTL))).token(micros(NOW) + 5).build();

    assertThat(claimed(expired, mine().build(), NOW).token()).isEqualTo(micros(NOW) + 6);
  }

  @Test
  void theTokenIsNotBelowTheFloor() {
    long floor = micros(NOW) + 1000;

    assertThat(claimed(null, mine().tokenFloor(floor).build(), NOW).token()).isEqualTo(floor);
  }

  @Test
  void theTokenOfAnIssuedKeyIsExceeded() {
    ClaimRecord issued = issued(NOW);

    assertThat(claimed(issued, mine().build(), NOW).token()).isEqualTo(issued.token() + 1);
  }

  @Test
  void aSuccessorKeepsWhenTheKeyWasFirstClaimedAndTheLaterExpiry() {
    ClaimRecord failed =
        othersSettled(new Settlement.Fail("no", Duration.ofDays(30), Duration.ZERO), LONG_BEFORE);

    ClaimRecord record = claimed(failed, mine().build(), NOW);

    assertThat(record.created()).isEqualTo(LONG_BEFORE);
    assertThat(record.updated()).isEqualTo(NOW);
    assertThat(record.expires()).isEqualTo(failed.expires());
  }

  @Test
  void anExpiredRecordLeavesNothingButItsToken() {
    ClaimRecord expired = othersClaimed(NOW.minus(TTL).minus(LEASE));

    assertThat(claimed(expired, mine().build(), NOW)).isEqualTo(claimed(null, mine().build(), NOW));
  }

  @Test
  void aSuccessorAfterAFailureBringsItsOwnMessage() {
    ClaimRecord failed = othersSettled(FAILED, JUST_BEFORE);

    ClaimRecord record = claimed(failed, mine().fingerprint(OTHER_BODY).build(), NOW);

    assertThat(record.fingerprint()).isEqualTo(OTHER_BODY);
    assertThat(record.origin()).isEqualTo(HERE);
    assertThat(record.error()).isNull();
  }

  @Test
  void aForcedClaimDropsTheResultAndRemembersBothOrigins() {
    ClaimRecord done = othersSettled(DONE, JUST_BEFORE);

    ClaimRecord record = claimed(done, mine().force(true).build(), NOW);

    assertThat(record.result()).isNull();
    assertThat(record.forced()).containsExactly(THERE, HERE);
  }

  @Test
  void aKeyThatWasForcedByAsManyAsItCanRememberIsForcedNoMore() {
    ClaimRecord record = othersSettled(DONE, JUST_BEFORE);
    int forced = 0;
    for (int i = 0; i < 2 * ClaimRecord.FORCED_MAX; i++) {
      ClaimRequest request =
          others()
              .claimId(new ClaimId(3, i))
              .origin(Origin.kafka("cluster", "topic", 0, i, 0))
              .force(true)
              .build();
      Transition<ClaimAnswer> transition = TABLE.claim(record, request, NOW);
      if (transition.record() != null) {
        record = settled(transition.record(), DONE, NOW);
        forced++;
      }
    }

    assertThat(forced).isEqualTo(ClaimRecord.FORCED_MAX - 1);
    assertThat(record.forced()).hasSize(ClaimRecord.FORCED_MAX);
  }

  @Test
  void attemptsGoOnThroughTakeoversAndBeginAnewAfterAFailure() {
    ClaimRecord taken = claimed(othersClaimed(LONG_BEFORE), mine().build(), NOW);
    assertThat(taken.attempts()).isEqualTo(2);

    ClaimRecord failed = settled(taken, FAILED, NOW);
    assertThat(claimed(failed, others().build(), NOW).attempts()).isEqualTo(1);
  }

  @Test
  void theDoubtAboutAPredecessorOutlivesItsSuccessors() {
    ClaimRecord taken = claimed(othersClaimed(LONG_BEFORE), mine().build(), NOW);

    for (Settlement settlement : List.of(FAILED, RELEASED)) {
      ClaimRecord next = claimed(settled(taken, settlement, NOW), others().build(), NOW);
      assertThat(next.takenOver()).as("after %s", settlement).isTrue();
    }
  }

  @Test
  void theDoubtEndsWhenTheEffectIsDoneOrAnOperatorHasLooked() {
    ClaimRecord taken = claimed(othersClaimed(LONG_BEFORE), mine().build(), NOW);
    ClaimRecord done = settled(taken, DONE, NOW);
    ClaimRecord reopened = Samples.record(TABLE.reopen(done, "reopened", NOW));

    assertThat(claimed(done, others().force(true).build(), NOW).takenOver()).isFalse();
    assertThat(claimed(reopened, others().build(), NOW).takenOver()).isFalse();
  }

  @Test
  void aClaimSentAgainAfterItsLeaseIsKeptLonger() {
    ClaimRecord over = claimed(null, mine().build(), LONG_BEFORE);

    ClaimRecord again = claimed(over, mine().build(), NOW);

    assertThat(again)
        .isEqualTo(
            Records.from(over)
                .busyUntil(NOW.plus(LEASE))
                .expires(NOW.plus(LEASE).plus(TTL))
                .build());
  }

  @Test
  void whoHoldsNothingIsNoTombstone() {
    assertThat(issued(NOW).isTombstone()).isFalse();
    assertThat(othersSettled(RELEASED, NOW).isTombstone()).isFalse();
    assertThat(
            Samples.record(TABLE.reopen(othersSettled(DONE, NOW), "reopened", NOW)).isTombstone())
        .isTrue();
  }
}
