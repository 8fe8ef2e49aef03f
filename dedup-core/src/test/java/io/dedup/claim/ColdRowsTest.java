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
import static io.dedup.claim.Samples.micros;
import static io.dedup.claim.Samples.mine;
import static io.dedup.claim.Samples.othersClaimed;
import static io.dedup.claim.Samples.othersSettled;
import static io.dedup.claim.Samples.record;
import static io.dedup.claim.Samples.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a record by the verbs that no message sends. */
class ColdRowsTest {

  static List<ClaimRecord> used() {
    return List.of(
        othersClaimed(JUST_BEFORE),
        othersClaimed(LONG_BEFORE),
        othersSettled(DONE, JUST_BEFORE),
        othersSettled(FAILED, JUST_BEFORE),
        othersSettled(RELEASED, JUST_BEFORE));
  }

  private static SettleAnswer fenced(@Nullable ClaimRecord record) {
    return new SettleAnswer.Fenced(Holder.of(record));
  }

  @Nested
  class HandingOut {

    @Test
    void anAbsentKeyIsHandedOutUntilItsTtlIsOver() {
      Transition<Boolean> transition = TABLE.issue(null, TTL, NOW);

      assertThat(transition.answer()).isTrue();
      assertThat(transition.record()).isEqualTo(Records.issued(micros(NOW), NOW, NOW.plus(TTL)));
    }

    @Test
    void anExpiredKeyIsHandedOutWithALargerToken() {
      ClaimRecord expired =
          Records.from(othersSettled(DONE, NOW.minus(TTL))).token(micros(NOW) + 5).build();

      assertThat(record(TABLE.issue(expired, TTL, NOW)).token()).isEqualTo(micros(NOW) + 6);
    }

    @Test
    void aKeyThatWaitsToBeUsedStaysAsItIs() {
      assertThat(TABLE.issue(issued(JUST_BEFORE), TTL, NOW)).isEqualTo(Transition.unchanged(true));
    }

    @ParameterizedTest
    @MethodSource("io.dedup.claim.ColdRowsTest#used")
    void aKeyThatIsUsedIsNotHandedOut(ClaimRecord used) {
      assertThat(TABLE.issue(used, TTL, NOW)).isEqualTo(Transition.unchanged(false));
    }

    @Test
    void aTtlOfNothingIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TABLE.issue(null, Duration.ZERO, NOW))
          .withMessage("ttl: was PT0S, must be at least PT0.001S");
    }
  }

  @Nested
  class Resolving {

    private final ClaimRecord inDoubt = othersClaimed(LONG_BEFORE);
    private final Resolution done = new Resolution.Done(RESULT, TTL);

    @Test
    void whatIsDoneIsDoneByNobodyWithALargerToken() {
      Transition<SettleAnswer> transition =
          TABLE.resolve(inDoubt, inDoubt.token(), done, "looked", NOW);

      assertThat(transition.answer()).isEqualTo(new SettleAnswer.Applied());
      assertThat(transition.record())
          .isEqualTo(
              Records.from(inDoubt)
                  .byHand("looked", NOW)
                  .state(State.SUCCEEDED)
                  .token(micros(NOW))
                  .result(RESULT)
                  .expires(NOW.plus(TTL))
                  .build());
    }

    @Test
    void whatIsNotDoneIsFree() {
      Transition<SettleAnswer> transition =
          TABLE.resolve(inDoubt, inDoubt.token(), new Resolution.NotDone(), "looked", NOW);

      ClaimRecord free = record(transition);
      assertThat(free.state()).isEqualTo(State.RELEASED);
      assertThat(free.claimId()).isEqualTo(ClaimId.none());
      assertThat(free.error()).isEqualTo("looked");
      assertThat(claimed(free, mine().build(), NOW).token()).isEqualTo(free.token() + 1);
    }

    @Test
    void theLostClaimNeverSettlesWhatWasResolved() {
      ClaimRecord resolved = record(TABLE.resolve(inDoubt, inDoubt.token(), done, "looked", NOW));

      assertThat(TABLE.settle(resolved, new SettleRequest(holder(inDoubt), DONE), NOW))
          .isEqualTo(Transition.unchanged(fenced(resolved)));
    }

    @Test
    void aSecondResolutionIsFencedByTheFirst() {
      ClaimRecord resolved = record(TABLE.resolve(inDoubt, inDoubt.token(), done, "looked", NOW));

      assertThat(TABLE.resolve(resolved, inDoubt.token(), done, "looked", NOW))
          .isEqualTo(Transition.unchanged(fenced(resolved)));
    }

    static Stream<Arguments> notInDoubt() {
      ClaimRecord inDoubt = othersClaimed(LONG_BEFORE);
      ClaimRecord taken = claimed(inDoubt, mine().build(), NOW);
      return Stream.of(
          Arguments.of("absent", null, 1),
          Arguments.of("handed out", issued(NOW), micros(NOW)),
          Arguments.of("busy", othersClaimed(JUST_BEFORE), micros(JUST_BEFORE)),
          Arguments.of("taken over", taken, inDoubt.token()),
          Arguments.of("done", othersSettled(DONE, JUST_BEFORE), micros(JUST_BEFORE)),
          Arguments.of("failed", othersSettled(FAILED, JUST_BEFORE), micros(JUST_BEFORE)),
          Arguments.of("released", othersSettled(RELEASED, JUST_BEFORE), micros(JUST_BEFORE)),
          Arguments.of("of another token", inDoubt, inDoubt.token() + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notInDoubt")
    void whatIsNotInDoubtIsNotResolved(String what, @Nullable ClaimRecord record, long token) {
      assertThat(TABLE.resolve(record, token, done, "looked", NOW))
          .isEqualTo(Transition.unchanged(fenced(record)));
    }

    @Test
    void anExpiredRecordIsResolvedByNobody() {
      ClaimRecord expired = othersClaimed(NOW.minus(TTL).minus(LEASE));

      assertThat(TABLE.resolve(expired, expired.token(), done, "looked", NOW))
          .isEqualTo(Transition.unchanged(fenced(null)));
    }
  }

  @Nested
  class Reopening {

    @ParameterizedTest
    @MethodSource("io.dedup.claim.ColdRowsTest#used")
    void whatNobodyWorksOnBecomesATombstone(ClaimRecord record) {
      Transition<SettleAnswer> transition = TABLE.reopen(record, "again", NOW);

      boolean busy = record.state() == State.PROCESSING && record.busyUntil().isAfter(NOW);
      assertThat(transition)
          .isEqualTo(
              busy
                  ? Transition.unchanged(fenced(record))
                  : Transition.to(
                      Records.from(record)
                          .byHand("again", NOW)
                          .state(State.RELEASED)
                          .token(micros(NOW))
                          .build(),
                      new SettleAnswer.Applied()));
    }

    @Test
    void anAbsentKeyStaysAbsent() {
      assertThat(TABLE.reopen(null, "again", NOW)).isEqualTo(Transition.unchanged(fenced(null)));
    }

    @Test
    void anExpiredKeyStaysExpired() {
      assertThat(TABLE.reopen(othersSettled(DONE, NOW.minus(TTL)), "again", NOW))
          .isEqualTo(Transition.unchanged(fenced(null)));
    }

    @Test
    void theLostClaimNeverSettlesWhatWasReopened() {
      ClaimRecord inDoubt = othersClaimed(LONG_BEFORE);
      ClaimRecord reopened = record(TABLE.reopen(inDoubt, "again", NOW));

      assertThat(TABLE.settle(reopened, new SettleRequest(holder(inDoubt), DONE), NOW))
          .isEqualTo(Transition.unchanged(fenced(reopened)));
    }
  }

  @Nested
  class Merging {

    private static final ClaimRecord DONE_EARLY = othersSettled(DONE, LONG_BEFORE);
    private static final ClaimRecord DONE_LATE = othersSettled(DONE, JUST_BEFORE);
    private static final ClaimRecord BUSY = othersClaimed(JUST_BEFORE);
    private static final ClaimRecord RENEWED = settled(BUSY, new Settlement.Renew(LEASE, TTL), NOW);
    private static final ClaimRecord WITHOUT_RESULT = Records.from(DONE_EARLY).result(null).build();
    private static final ClaimRecord FREE = othersSettled(RELEASED, LONG_BEFORE);
    private static final ClaimRecord REOPENED =
        record(TABLE.reopen(DONE_EARLY, "again", JUST_BEFORE));
    private static final ClaimRecord REOPENED_BEFORE_THAT =
        Records.from(REOPENED).token(DONE_EARLY.token() - 1).build();

    static Stream<Arguments> copies() {
      return Stream.of(
          Arguments.of("an absent key takes what comes", null, BUSY, true),
          Arguments.of(
              "an expired key takes what comes", othersSettled(DONE, NOW.minus(TTL)), FREE, true),
          Arguments.of(
              "an expired copy is nothing", null, othersSettled(DONE, NOW.minus(TTL)), false),
          Arguments.of("the higher token wins", FREE, BUSY, true),
          Arguments.of("the lower token does not", BUSY, FREE, false),
          Arguments.of("an equal copy changes nothing", BUSY, BUSY, false),
          Arguments.of("a later copy of the same claim wins", BUSY, RENEWED, true),
          Arguments.of("an earlier copy of the same claim does not", RENEWED, BUSY, false),
          Arguments.of("a failure wins over its claim", BUSY, settled(BUSY, FAILED, NOW), true),
          Arguments.of(
              "a claim does not win over its failure", settled(BUSY, FAILED, NOW), BUSY, false),
          Arguments.of("a result wins over none", WITHOUT_RESULT, DONE_EARLY, true),
          Arguments.of("no result does not win over one", DONE_EARLY, WITHOUT_RESULT, false),
          Arguments.of(
              "an equal token of another claim changes nothing",
              BUSY,
              Records.from(REOPENED).token(BUSY.token()).build(),
              false),
          Arguments.of("what is done is not replaced by less", DONE_LATE, FREE, false),
          Arguments.of("what was done later wins", DONE_EARLY, DONE_LATE, true),
          Arguments.of("what was done earlier does not", DONE_LATE, DONE_EARLY, false),
          Arguments.of("what was reopened later wins", DONE_EARLY, REOPENED, true),
          Arguments.of(
              "what was reopened before does not", DONE_EARLY, REOPENED_BEFORE_THAT, false),
          Arguments.of(
              "what was done before it was reopened does not", REOPENED, DONE_EARLY, false),
          Arguments.of(
              "what was done after it was reopened wins", REOPENED_BEFORE_THAT, DONE_EARLY, true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("copies")
    void aCopyIsTakenByItsRow(
        String sentence, @Nullable ClaimRecord found, ClaimRecord incoming, boolean wins) {
      assertThat(TABLE.merge(found, incoming, NOW))
          .isEqualTo(wins ? Transition.to(incoming, true) : Transition.unchanged(false));
    }

    @Test
    void whatIsDoneWinsAndTakesTheHigherTokenOfBoth() {
      ClaimRecord merged = Records.from(DONE_EARLY).token(BUSY.token()).build();

      assertThat(TABLE.merge(BUSY, DONE_EARLY, NOW)).isEqualTo(Transition.to(merged, true));
      assertThat(TABLE.merge(DONE_EARLY, BUSY, NOW)).isEqualTo(Transition.to(merged, true));
      assertThat(TABLE.merge(merged, BUSY, NOW)).isEqualTo(Transition.unchanged(false));
      assertThat(TABLE.merge(merged, DONE_EARLY, NOW)).isEqualTo(Transition.unchanged(false));
    }

    @Test
    void whatIsDoneKeepsTheLaterExpiryOfBoth() {
      ClaimRecord longer = Records.from(DONE_EARLY).expires(NOW.plus(TTL)).build();
      ClaimRecord merged = Records.from(DONE_LATE).expires(NOW.plus(TTL)).build();

      assertThat(TABLE.merge(longer, DONE_LATE, NOW)).isEqualTo(Transition.to(merged, true));
      assertThat(TABLE.merge(DONE_LATE, longer, NOW)).isEqualTo(Transition.to(merged, true));
    }
  }

  @Nested
  class Extending {

    private final ClaimRecord done = othersSettled(DONE, JUST_BEFORE);

    @Test
    void whatIsDoneIsKeptUntilTheTtlAfterItsCompletion() {
      Duration longer = TTL.plusDays(1);

      assertThat(TABLE.extend(done, longer, NOW))
          .isEqualTo(
              Transition.to(Records.from(done).expires(JUST_BEFORE.plus(longer)).build(), true));
    }

    @Test
    void whatIsKeptLongerAlreadyStays() {
      assertThat(TABLE.extend(done, TTL, NOW)).isEqualTo(Transition.unchanged(false));
    }

    static Stream<ClaimRecord> others() {
      return Stream.of(
          null,
          issued(JUST_BEFORE),
          othersClaimed(JUST_BEFORE),
          othersSettled(FAILED, JUST_BEFORE),
          othersSettled(RELEASED, JUST_BEFORE),
          othersSettled(DONE, NOW.minus(TTL)));
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatIsNotDoneIsNotExtended(@Nullable ClaimRecord record) {
      assertThat(TABLE.extend(record, TTL.multipliedBy(2), NOW))
          .isEqualTo(Transition.unchanged(false));
    }
  }
}
