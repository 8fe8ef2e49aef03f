// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.ClaimDefect.acquired;
import static io.dedup.testkit.ClaimDefect.anotherId;
import static io.dedup.testkit.ClaimDefect.answer;
import static io.dedup.testkit.ClaimDefect.asked;
import static io.dedup.testkit.ClaimDefect.busy;
import static io.dedup.testkit.ClaimDefect.claim;
import static io.dedup.testkit.ClaimDefect.conflict;
import static io.dedup.testkit.ClaimDefect.done;
import static io.dedup.testkit.ClaimDefect.found;
import static io.dedup.testkit.ClaimDefect.isBusy;
import static io.dedup.testkit.ClaimDefect.isSame;
import static io.dedup.testkit.ClaimDefect.token;
import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.Conflict;
import io.dedup.claim.ClaimAnswer.InDoubt;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Origin;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.Transition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Defects of claims: one rule of the table each. */
final class ClaimDefects {

  /** It takes more forced runs of one key than a history has. */
  static final String TOO_LONG_FOR_HISTORIES = "remembers forced origins without a limit";

  private static final Duration MICRO = Duration.of(1, ChronoUnit.MICROS);

  private ClaimDefects() {}

  static List<Defect> all() {
    return List.of(
        claim(
            "takes a live claim for done",
            "ClaimsOfHeldKeys",
            (t, f, r, now) -> isBusy(f, r, now) ? answer(done(f)) : t.claim(f, r, now)),
        found(
            "never lets a lease end",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> with(f, "busyUntil", f.expires())),
        found(
            "does not look at the lease",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> with(f, "busyUntil", Instant.EPOCH)),
        found(
            "ends a lease a microsecond early",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> changed(f, "busyUntil", (Instant t) -> t.minus(MICRO))),
        found(
            "ends a lease a microsecond late",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> changed(f, "busyUntil", (Instant t) -> t.plus(MICRO))),
        found(
            "lets a done key expire a microsecond early",
            "ClaimsOfSettledKeys",
            State.SUCCEEDED,
            f -> changed(f, "expires", (Instant t) -> t.minus(MICRO))),
        found(
            "lets a done key expire a microsecond late",
            "ClaimsOfSettledKeys",
            State.SUCCEEDED,
            f -> changed(f, "expires", (Instant t) -> t.plus(MICRO))),
        found(
            "takes a failure for done",
            "ClaimsOfSettledKeys",
            State.FAILED,
            f -> with(f, "state", State.SUCCEEDED)),
        found(
            "forgets a back-off",
            "ClaimsOfSettledKeys",
            State.FAILED,
            f -> with(f, "busyUntil", Instant.EPOCH)),
        asked(
            "runs again what failed, whatever the policy",
            "ClaimsOfSettledKeys",
            r -> with(r, "onFailed", OnFailed.RERUN)),
        claim(
            "reports a failure before its back-off is over",
            "ClaimsOfSettledKeys",
            (t, f, r, now) ->
                f != null && f.state() == State.FAILED && r.onFailed() == OnFailed.REPORT
                    ? answer(new ClaimAnswer.Failed(String.valueOf(f.error()), f.origin()))
                    : t.claim(f, r, now)),
        claim(
            "lets a claim id work twice",
            "ClaimsOfSettledKeys",
            (t, f, r, now) ->
                t.claim(isSame(f, r) && f.state() != State.PROCESSING ? anotherId(f) : f, r, now)),
        claim(
            "gives a new token to a claim sent again",
            "Resending",
            (t, f, r, now) ->
                t.claim(
                    isSame(f, r) && f.state() == State.PROCESSING
                        ? with(anotherId(f), "state", State.RELEASED)
                        : f,
                    r,
                    now)),
        claim(
            "is in progress for a claim sent again",
            "Resending",
            (t, f, r, now) -> t.claim(isSame(f, r) ? anotherId(f) : f, r, now)),
        acquired(
            "counts an attempt for a claim sent again",
            "Resending",
            ClaimDefect::isSame,
            record -> changed(record, "attempts", (Integer n) -> n + 1),
            answer -> answer),
        acquired(
            "does not renew the lease of a claim sent again after it was over",
            "Resending",
            ClaimDefect::isSame,
            record -> with(record, "busyUntil", record.updated().plus(Duration.ofMinutes(10))),
            answer -> answer),
        token("starts tokens from one", "ClaimsOfNewKeys", token -> 1),
        token("counts tokens in milliseconds", "ClaimsOfNewKeys", token -> token / 1000),
        token(
            "writes tokens with fourteen digits",
            "ClaimsOfNewKeys",
            token ->
                (long) Double.parseDouble(String.format(Locale.ROOT, "%.14g", (double) token))),
        asked("ignores the token floor", "ClaimsOfNewKeys", r -> with(r, "tokenFloor", 0L)),
        acquired(
            "gives a takeover the same token",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null && f.state() == State.PROCESSING,
            record -> changed(record, "token", (Long token) -> token - 1),
            answer -> changed(answer, "token", (Long token) -> token - 1)),
        claim(
            "shortens the expiry for a duplicate",
            "ClaimsOfSettledKeys",
            (t, f, r, now) -> {
              Transition<ClaimAnswer> sound = t.claim(f, r, now);
              return sound.answer() instanceof Completed
                  ? new Transition<>(with(f, "expires", now.plus(r.ttl())), sound.answer())
                  : sound;
            }),
        acquired(
            "keeps a claim for its ttl from now, not from its lease's end",
            "ClaimsOfNewKeys",
            (f, r) -> true,
            record -> with(record, "expires", record.busyUntil()),
            answer -> answer),
        asked("ignores slide", "ClaimsOfSettledKeys", r -> with(r, "slide", false)),
        asked("always slides", "ClaimsOfSettledKeys", r -> with(r, "slide", true)),
        conflict("never sees a conflict", "ClaimsOfHeldKeys", (f, r) -> true),
        conflict(
            "sees a conflict only with what is done",
            "ClaimsOfHeldKeys",
            (f, r) -> f.state() == State.PROCESSING),
        conflict(
            "sees a conflict only with what is held",
            "ClaimsOfSettledKeys",
            (f, r) -> f.state() == State.SUCCEEDED),
        claim(
            "says in progress before it says conflict",
            "ClaimsOfHeldKeys",
            (t, f, r, now) -> isBusy(f, r, now) ? answer(busy(f, now)) : t.claim(f, r, now)),
        claim(
            "compares fingerprints of different algorithms",
            "ClaimsOfHeldKeys",
            (t, f, r, now) ->
                isBusy(f, r, now) && f.fingerprint().value() != r.fingerprint().value()
                    ? answer(new Conflict(f.fingerprint()))
                    : t.claim(f, r, now)),
        claim(
            "sees a conflict with what failed",
            "ClaimsOfSettledKeys",
            (t, f, r, now) ->
                f != null
                        && f.state() == State.FAILED
                        && f.fingerprint().conflictsWith(r.fingerprint())
                    ? answer(new Conflict(f.fingerprint()))
                    : t.claim(f, r, now)),
        acquired(
            "keeps the fingerprint of what failed",
            "ClaimsOfSettledKeys",
            (f, r) -> f != null && f.state() == State.FAILED,
            (record, f) -> with(record, "fingerprint", f.fingerprint()),
            answer -> answer),
        asked("ignores how late a copy is", "ClaimsOfNewKeys", r -> r.withNotAfter(null)),
        asked(
            "takes a copy for late that is just in time",
            "ClaimsOfNewKeys",
            r -> r.withNotAfter(r.notAfter() == null ? null : r.notAfter().minus(MICRO))),
        asked(
            "accepts what was not issued", "ClaimsOfNewKeys", r -> with(r, "requireIssued", false)),
        acquired(
            "counts no attempt for a takeover",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null && f.state() == State.PROCESSING,
            record -> changed(record, "attempts", (Integer n) -> Math.max(0, n - 1)),
            answer -> changed(answer, "attempt", (Integer n) -> Math.max(1, n - 1))),
        acquired(
            "does not tell a takeover",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null && f.state() == State.PROCESSING,
            record -> with(record, "takenOver", false),
            answer -> with(answer, "takenOver", false)),
        acquired(
            "forgets the doubt when a successor gives the key back",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null && f.state() == State.RELEASED,
            record -> with(record, "takenOver", false),
            answer -> with(answer, "takenOver", false)),
        acquired(
            "forgets the doubt when a successor fails",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null && f.state() == State.FAILED,
            record -> with(record, "takenOver", false),
            answer -> with(answer, "takenOver", false)),
        acquired(
            "forgets attempts when a claim that did not start is over",
            "ClaimsOfSettledKeys",
            (f, r) -> f != null && f.state() == State.RELEASED,
            record -> with(record, "attempts", 1),
            answer -> with(answer, "attempt", 1)),
        asked(
            "takes over what is to be held",
            "ClaimsOfHeldKeys",
            r -> with(r, "onLeaseExpired", OnLeaseExpired.RERUN)),
        asked(
            "holds what is to be probed",
            "ClaimsOfHeldKeys",
            r ->
                r.onLeaseExpired() == OnLeaseExpired.PROBE
                    ? with(r, "onLeaseExpired", OnLeaseExpired.HOLD)
                    : r),
        found(
            "takes what never said for what never started",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> f.start() == StartMark.NOT_RECORDED ? with(f, "start", StartMark.NOT_STARTED) : f),
        found(
            "holds what was lost in a transaction",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> f.start() == StartMark.IN_TRANSACTION ? with(f, "start", StartMark.STARTED) : f),
        found(
            "holds what never started",
            "ClaimsOfHeldKeys",
            State.PROCESSING,
            f -> with(f, "start", StartMark.STARTED)),
        claim(
            "holds what was given back",
            "ClaimsOfSettledKeys",
            (t, f, r, now) ->
                f != null
                        && f.state() == State.RELEASED
                        && r.onLeaseExpired() == OnLeaseExpired.HOLD
                    ? answer(new InDoubt(f.owner(), f.token(), f.busyUntil()))
                    : t.claim(f, r, now)),
        asked("forces nothing", "ClaimsOfSettledKeys", r -> with(r, "force", false)),
        found(
            "forces the same origin twice",
            "ClaimsOfSettledKeys",
            State.SUCCEEDED,
            f -> with(f, "forced", List.of())),
        found(
            "forgets forced origins when a forced run fails",
            "ClaimsOfSettledKeys",
            State.FAILED,
            f -> with(f, "forced", List.of())),
        claim(
            TOO_LONG_FOR_HISTORIES,
            "ClaimsOfSettledKeys",
            (t, f, r, now) -> {
              Transition<ClaimAnswer> sound = t.claim(f, r, now);
              boolean full = f != null && f.forced().size() >= ClaimRecord.FORCED_MAX - 1;
              return full && r.force() && sound.answer() instanceof Completed
                  ? t.claim(with(f, "forced", List.<Origin>of()), r, now)
                  : sound;
            }),
        acquired(
            "forgets when a key was created",
            "ClaimsOfHeldKeys",
            (f, r) -> f != null,
            record -> with(record, "created", record.updated()),
            answer -> answer),
        claim(
            "names the one who asks as the owner",
            "ClaimsOfHeldKeys",
            (t, f, r, now) -> {
              Transition<ClaimAnswer> sound = t.claim(f, r, now);
              return sound.answer() instanceof InProgress busy
                  ? answer(with(busy, "owner", r.owner()))
                  : sound;
            }),
        claim(
            "rounds what is left of a lease to milliseconds",
            "ClaimsOfHeldKeys",
            (t, f, r, now) -> {
              Transition<ClaimAnswer> sound = t.claim(f, r, now);
              return sound.answer() instanceof InProgress busy
                  ? answer(with(busy, "leaseLeft", busy.leaseLeft().truncatedTo(ChronoUnit.MILLIS)))
                  : sound;
            }));
  }
}
