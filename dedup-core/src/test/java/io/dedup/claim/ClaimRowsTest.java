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
import static io.dedup.claim.Samples.RESULT;
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

import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a claim is answered, row by row. All of them are sent at the same moment. */
class ClaimRowsTest {

  private static final long NEW_TOKEN = micros(NOW);
  private static final Duration LEFT = Duration.ofSeconds(20);

  /**
   * A row of the table.
   *
   * @param sentence what it says
   * @param found the record, null if there is none
   * @param request the claim
   * @param answer the answer; only {@link ClaimAnswer.Acquired} and a slide change the record
   */
  record Row(
      String sentence,
      @Nullable ClaimRecord found,
      ClaimRequest.Builder request,
      ClaimAnswer answer) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  static Stream<Row> free() {
    return Stream.of(
        row("absent is acquired", null, mine(), acquired()),
        row("expired is acquired", expired(DONE), mine(), acquired()),
        row("expired in progress is acquired", expiredInProgress(), mine(), acquired()),
        row("handed out is acquired", issued(JUST_BEFORE), mine(), acquired()),
        row(
            "handed out is acquired by who requires it",
            issued(JUST_BEFORE),
            mine().requireIssued(true),
            acquired()),
        row(
            "absent is not handed out",
            null,
            mine().requireIssued(true),
            new ClaimAnswer.NotIssued()),
        row(
            "expired is not handed out any more",
            expired(DONE),
            mine().requireIssued(true),
            new ClaimAnswer.NotIssued()),
        row("in time to the microsecond is not late", null, mine().notAfter(NOW), acquired()),
        row(
            "a microsecond late is late",
            null,
            mine().notAfter(NOW.minusNanos(1000)),
            new ClaimAnswer.RequestExpired()),
        row(
            "late is late, whatever is there",
            othersSettled(DONE, JUST_BEFORE),
            mine().notAfter(JUST_BEFORE),
            new ClaimAnswer.RequestExpired()));
  }

  static Stream<Row> inProgress() {
    ClaimRecord busy = othersClaimed(JUST_BEFORE);
    ClaimRecord ours = claimed(null, mine().build(), JUST_BEFORE);
    ClaimRecord oursOver = claimed(null, mine().build(), LONG_BEFORE);
    return Stream.of(
        row(
            "a running lease is busy",
            busy,
            mine(),
            new ClaimAnswer.InProgress("other", LEFT, THERE)),
        row(
            "a lease is busy to its last microsecond",
            othersClaimed(NOW.minus(LEASE).plusNanos(1000)),
            mine(),
            new ClaimAnswer.InProgress("other", Duration.ofNanos(1000), THERE)),
        row(
            "a lease that ends now is over",
            othersClaimed(NOW.minus(LEASE)),
            mine(),
            new ClaimAnswer.Acquired(NEW_TOKEN, 2, true, LEASE)),
        row(
            "my own claim is mine, with the token and what is left of the lease",
            ours,
            mine(),
            new ClaimAnswer.Acquired(micros(JUST_BEFORE), 1, false, LEFT)),
        row(
            "my own claim is mine with a new lease after the old one",
            oursOver,
            mine(),
            new ClaimAnswer.Acquired(micros(LONG_BEFORE), 1, false, LEASE)));
  }

  static Stream<Row> leaseOver() {
    ClaimRecord started = othersClaimed(LONG_BEFORE, ClaimStart.NOW);
    ClaimRecord unrecorded = othersClaimed(LONG_BEFORE, ClaimStart.UNRECORDED);
    ClaimRecord inTransaction = othersClaimed(LONG_BEFORE, ClaimStart.IN_TRANSACTION);
    ClaimRecord waiting = othersClaimed(LONG_BEFORE, ClaimStart.RECORDED_LATER);
    ClaimRecord startedLater = settled(waiting, new Settlement.Start(), LONG_BEFORE);
    ClaimAnswer inDoubt =
        new ClaimAnswer.InDoubt("other", micros(LONG_BEFORE), LONG_BEFORE.plus(LEASE));
    List<Row> rows = new ArrayList<>();
    for (OnLeaseExpired policy : OnLeaseExpired.values()) {
      rows.add(
          row(
              policy + ": what never started is acquired",
              waiting,
              mine().onLeaseExpired(policy),
              acquired()));
      rows.add(
          row(
              policy + ": what started in a transaction left nothing, and counts as an attempt",
              inTransaction,
              mine().onLeaseExpired(policy),
              new ClaimAnswer.Acquired(NEW_TOKEN, 2, true, LEASE)));
      boolean holds = policy == OnLeaseExpired.HOLD;
      rows.add(
          row(
              policy + ": what started with its claim",
              started,
              mine().onLeaseExpired(policy),
              holds ? inDoubt : new ClaimAnswer.Acquired(NEW_TOKEN, 2, true, LEASE)));
      rows.add(
          row(
              policy + ": what started later",
              startedLater,
              mine().onLeaseExpired(policy),
              holds ? inDoubt : new ClaimAnswer.Acquired(NEW_TOKEN, 2, true, LEASE)));
      rows.add(
          row(
              policy + ": what never said whether it started",
              unrecorded,
              mine().onLeaseExpired(policy),
              holds ? inDoubt : new ClaimAnswer.Acquired(NEW_TOKEN, 1, true, LEASE)));
      rows.add(
          row(
              policy + ": what was released is acquired",
              othersSettled(RELEASED, JUST_BEFORE),
              mine().onLeaseExpired(policy),
              acquired()));
    }
    return rows.stream();
  }

  static Stream<Row> failed() {
    Settlement backingOff = new Settlement.Fail("no", TTL, Duration.ofSeconds(30));
    ClaimRecord failed = othersSettled(FAILED, JUST_BEFORE);
    return Stream.of(
        row("failed runs again", failed, mine(), acquired()),
        row(
            "failed is reported",
            failed,
            mine().onFailed(OnFailed.REPORT),
            new ClaimAnswer.Failed("no", THERE)),
        row(
            "a running back-off is busy",
            othersSettled(backingOff, JUST_BEFORE),
            mine(),
            new ClaimAnswer.InProgress("other", LEFT, THERE)),
        row(
            "a running back-off is busy for who wants a report, too",
            othersSettled(backingOff, JUST_BEFORE),
            mine().onFailed(OnFailed.REPORT),
            new ClaimAnswer.InProgress("other", LEFT, THERE)),
        row(
            "a back-off that ends now is over",
            othersSettled(backingOff, NOW.minusSeconds(30)),
            mine(),
            acquired()));
  }

  static Stream<Row> done() {
    ClaimRecord done = othersSettled(DONE, JUST_BEFORE);
    ClaimRecord forced = settled(claimed(done, mine().force(true).build(), NOW), DONE, NOW);
    Origin third = Origin.kafka("cluster", "topic", 3, 30, 0);
    return Stream.of(
        row("done is completed", done, mine(), completed(done, done.expires())),
        row("done slides", done, mine().slide(true), completed(done, NOW.plus(TTL))),
        row(
            "done never slides back",
            done,
            ClaimRequest.builder(Samples.KEY, "me", LEASE, LEASE).fingerprint(BODY).slide(true),
            completed(done, done.expires())),
        row("done is acquired by force", done, mine().force(true), acquired()),
        row(
            "done is not forced by the record that did it",
            done,
            mine().origin(THERE).force(true),
            completed(done, done.expires())),
        row(
            "done is not forced by one record twice",
            forced,
            others().force(true).origin(HERE),
            completed(forced, forced.expires())),
        row(
            "what was forced is not forced back",
            forced,
            others().force(true),
            completed(forced, forced.expires())),
        row(
            "what was forced is forced by yet another record",
            forced,
            others().force(true).origin(third),
            new ClaimAnswer.Acquired(forced.token() + 1, 1, false, LEASE)));
  }

  static Stream<Row> settledByMe() {
    return Stream.of(DONE, FAILED, RELEASED)
        .map(
            settlement -> {
              ClaimRecord record =
                  settled(claimed(null, mine().build(), JUST_BEFORE), settlement, JUST_BEFORE);
              return row(
                  "my claim id does not work again after " + settlement.getClass().getSimpleName(),
                  record,
                  mine(),
                  new ClaimAnswer.Fenced(new Holder(record.state(), record.token(), "me")));
            });
  }

  static Stream<Row> otherMessages() {
    ClaimAnswer conflict = new ClaimAnswer.Conflict(BODY);
    ClaimRecord done = othersSettled(DONE, JUST_BEFORE);
    return Stream.of(
        row("in progress conflicts", othersClaimed(JUST_BEFORE), other(), conflict),
        row("a lease that is over conflicts", othersClaimed(LONG_BEFORE), other(), conflict),
        row("done conflicts", done, other(), conflict),
        row("done conflicts with force, too", done, other().force(true), conflict),
        row("failed does not bind", othersSettled(FAILED, JUST_BEFORE), other(), acquired()),
        row("released does not bind", othersSettled(RELEASED, JUST_BEFORE), other(), acquired()),
        row("handed out does not bind", issued(JUST_BEFORE), other(), acquired()),
        row("expired does not bind", expired(DONE), other(), acquired()),
        row(
            "no fingerprint conflicts with none",
            done,
            mine().fingerprint(Fingerprint.none()),
            completed(done, done.expires())),
        row(
            "fingerprints of two algorithms are not compared",
            done,
            mine().fingerprint(new Fingerprint(Fingerprint.JSON, 1)),
            completed(done, done.expires())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "free",
    "inProgress",
    "leaseOver",
    "failed",
    "done",
    "settledByMe",
    "otherMessages"
  })
  void aClaimIsAnsweredByItsRow(Row row) {
    Transition<ClaimAnswer> transition = TABLE.claim(row.found(), row.request().build(), NOW);

    assertThat(transition.answer()).isEqualTo(row.answer());
    if (row.answer() instanceof ClaimAnswer.Acquired acquired) {
      ClaimRecord now = transition.changes() ? transition.record() : row.found();
      assertThat(now.state()).isEqualTo(State.PROCESSING);
      assertThat(now.token()).isEqualTo(acquired.token());
      assertThat(now.busyUntil()).isEqualTo(NOW.plus(acquired.leaseLeft()));
    } else if (row.answer() instanceof ClaimAnswer.Completed completed) {
      ClaimRecord now = transition.changes() ? transition.record() : row.found();
      assertThat(now).isEqualTo(Records.from(row.found()).expires(completed.expires()).build());
    } else {
      assertThat(transition.changes()).as("changes").isFalse();
    }
  }

  private static Row row(
      String sentence,
      @Nullable ClaimRecord found,
      ClaimRequest.Builder request,
      ClaimAnswer answer) {
    return new Row(sentence, found, request, answer);
  }

  private static ClaimAnswer acquired() {
    return new ClaimAnswer.Acquired(NEW_TOKEN, 1, false, LEASE);
  }

  private static ClaimAnswer completed(ClaimRecord done, Instant expires) {
    return new ClaimAnswer.Completed(RESULT, done.origin(), done.token(), done.updated(), expires);
  }

  private static ClaimRequest.Builder other() {
    return mine().fingerprint(OTHER_BODY);
  }

  /** Expires now: to the microsecond, that is expired. */
  private static ClaimRecord expired(Settlement settlement) {
    return othersSettled(settlement, NOW.minus(TTL));
  }

  private static ClaimRecord expiredInProgress() {
    return othersClaimed(NOW.minus(TTL).minus(LEASE));
  }
}
