// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.BrokenRules;
import io.dedup.claim.BrokenRules.Rule;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.State;
import io.dedup.claim.Transition;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** The ways to break a rule of claims: read wrongly, decide wrongly, store wrongly. */
final class ClaimDefect {

  private ClaimDefect() {}

  static Defect claim(String says, String section, Rule<ClaimRequest, ClaimAnswer> rule) {
    return Defect.of(says, section, BrokenRules.claiming(rule));
  }

  /** Reads a record of that state wrongly. */
  static Defect found(
      String says, String section, State state, UnaryOperator<ClaimRecord> reading) {
    return claim(
        says,
        section,
        (t, f, r, now) -> t.claim(f != null && f.state() == state ? reading.apply(f) : f, r, now));
  }

  /** Reads the request wrongly. */
  static Defect asked(String says, String section, UnaryOperator<ClaimRequest> reading) {
    return claim(says, section, (t, f, r, now) -> t.claim(f, reading.apply(r), now));
  }

  /** Overlooks a conflict. */
  static Defect conflict(String says, String section, Meeting overlooked) {
    return claim(
        says,
        section,
        (t, f, r, now) ->
            t.claim(f, r, now).answer() instanceof Conflict && overlooked.is(f, r)
                ? t.claim(f, with(r, "fingerprint", Fingerprint.none()), now)
                : t.claim(f, r, now));
  }

  static Defect token(String says, String section, LongUnaryOperator token) {
    return acquired(
        says,
        section,
        (f, r) -> !isSame(f, r),
        record -> changed(record, "token", (Long t) -> token.applyAsLong(t)),
        answer -> changed(answer, "token", (Long t) -> token.applyAsLong(t)));
  }

  static Defect acquired(
      String says,
      String section,
      Meeting when,
      UnaryOperator<ClaimRecord> record,
      UnaryOperator<Acquired> answer) {
    return acquired(says, section, when, (next, found) -> record.apply(next), answer);
  }

  /** Stores, or answers, an acquisition wrongly. */
  static Defect acquired(
      String says, String section, Meeting when, Writing record, UnaryOperator<Acquired> answer) {
    return claim(
        says,
        section,
        (t, f, r, now) -> {
          Transition<ClaimAnswer> sound = t.claim(f, r, now);
          if (!(sound.answer() instanceof Acquired acquired) || !when.is(f, r)) {
            return sound;
          }
          ClaimRecord next = sound.changes() ? sound.record() : f;
          return new Transition<>(record.write(next, f), answer.apply(acquired));
        });
  }

  static boolean isSame(ClaimRecord found, ClaimRequest request) {
    return found != null && found.claimId().equals(request.claimId());
  }

  static boolean isBusy(ClaimRecord found, ClaimRequest request, Instant now) {
    return found != null
        && found.state() == State.PROCESSING
        && !isSame(found, request)
        && found.busyUntil().isAfter(now);
  }

  static ClaimRecord anotherId(ClaimRecord found) {
    return with(found, "claimId", ClaimId.next());
  }

  static Completed done(ClaimRecord found) {
    return new Completed(null, found.origin(), found.token(), found.updated(), found.expires());
  }

  static InProgress busy(ClaimRecord found, Instant now) {
    return new InProgress(found.owner(), Duration.between(now, found.busyUntil()), found.origin());
  }

  static Transition<ClaimAnswer> answer(ClaimAnswer answer) {
    return new Transition<>(null, answer);
  }

  interface Meeting {
    boolean is(ClaimRecord found, ClaimRequest request);
  }

  interface Writing {
    ClaimRecord write(ClaimRecord next, ClaimRecord found);
  }
}
