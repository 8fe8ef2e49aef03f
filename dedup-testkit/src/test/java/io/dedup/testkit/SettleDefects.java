// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.BrokenRules;
import io.dedup.claim.BrokenRules.Rule;
import io.dedup.claim.Claim;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Holder;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleAnswer.Applied;
import io.dedup.claim.SettleAnswer.Fenced;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.Settlement.Attach;
import io.dedup.claim.Settlement.Complete;
import io.dedup.claim.Settlement.Fail;
import io.dedup.claim.Settlement.Release;
import io.dedup.claim.Settlement.Renew;
import io.dedup.claim.Settlement.Start;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.Transition;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Defects of settlements: one rule of the table each. */
final class SettleDefects {

  private SettleDefects() {}

  static List<Defect> all() {
    return List.of(
        unfenced("starts", Start.class),
        unfenced("renews", Renew.class),
        unfenced("completes", Complete.class),
        unfenced("attaches", Attach.class),
        unfenced("fails", Fail.class),
        unfenced("releases", Release.class),
        asked(
            "settles by token alone",
            "Fences",
            (f, r) -> new Claim(r.claim().key(), f.claimId(), r.claim().token())),
        asked(
            "settles by claim id alone",
            "Fences",
            (f, r) -> new Claim(r.claim().key(), r.claim().id(), f.token())),
        settle(
            "refuses a settlement after the lease",
            "Settlements",
            (t, f, r, now) ->
                f != null && f.state() == State.PROCESSING && !f.busyUntil().isAfter(now)
                    ? fenced(f)
                    : t.settle(f, r, now)),
        settle(
            "settles what has expired",
            "Settlements",
            (t, f, r, now) -> t.settle(f == null ? null : with(f, "expires", Instant.MAX), r, now)),
        settle(
            "refuses a completion that is sent again",
            "Resending",
            (t, f, r, now) -> isAgain(f, r) ? fenced(f) : t.settle(f, r, now)),
        settle(
            "moves the expiry of a completion that is sent again",
            "Resending",
            (t, f, r, now) ->
                isAgain(f, r)
                    ? new Transition<>(with(f, "expires", now.plus(ttl(r))), new Applied())
                    : t.settle(f, r, now)),
        settle(
            "lets a claim that has failed complete",
            "Fences",
            (t, f, r, now) ->
                t.settle(
                    f != null && f.state() == State.FAILED ? with(f, "state", State.PROCESSING) : f,
                    r,
                    now)),
        settle(
            "lets a claim that gave its key back complete",
            "Fences",
            (t, f, r, now) ->
                t.settle(
                    f != null && f.state() == State.RELEASED && r.settlement() instanceof Complete
                        ? with(f, "state", State.PROCESSING)
                        : f,
                    r,
                    now)),
        settle(
            "lets a claim that has completed give its key back",
            "Fences",
            (t, f, r, now) ->
                t.settle(
                    f != null && f.state() == State.SUCCEEDED && r.settlement() instanceof Release
                        ? with(f, "state", State.PROCESSING)
                        : f,
                    r,
                    now)),
        settle(
            "counts every start that is sent",
            "Settlements",
            (t, f, r, now) -> {
              Transition<SettleAnswer> sound = t.settle(f, r, now);
              boolean again = r.settlement() instanceof Start && !sound.changes();
              return again && sound.answer() instanceof Applied
                  ? new Transition<>(changed(f, "attempts", (Integer n) -> n + 1), sound.answer())
                  : sound;
            }),
        stored(
            "does not count a start",
            "Settlements",
            Start.class,
            (next, f) -> with(next, "attempts", f.attempts())),
        stored(
            "cuts a lease that lasts longer",
            "Settlements",
            Renew.class,
            (next, f) -> with(next, "busyUntil", next.updated().plus(Duration.ofMinutes(1)))),
        stored(
            "renews the lease and not the expiry",
            "Settlements",
            Renew.class,
            (next, f) -> with(next, "expires", f.expires())),
        stored(
            "keeps what is done as long as its lease's record",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "expires", f.expires())),
        stored(
            "keeps the attempts of what is done",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "attempts", f.attempts())),
        stored(
            "loses the result",
            "WhatIsKept",
            Complete.class,
            (next, f) -> with(next, "result", null)),
        stored(
            "loses the fingerprint on completion",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "fingerprint", Fingerprint.none())),
        stored(
            "loses the origin on completion",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "origin", Origin.none())),
        stored(
            "loses the time of creation on completion",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "created", next.updated())),
        stored(
            "loses the owner on completion",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "owner", "")),
        stored(
            "loses the forced origins on completion",
            "ClaimsOfSettledKeys",
            Complete.class,
            (next, f) -> with(next, "forced", List.of())),
        stored(
            "dates a completion back to its claim",
            "Settlements",
            Complete.class,
            (next, f) -> with(next, "updated", f.updated())),
        settle(
            "replaces a result that is there",
            "Settlements",
            (t, f, r, now) ->
                t.settle(
                    f != null && r.settlement() instanceof Attach ? with(f, "result", null) : f,
                    r,
                    now)),
        stored(
            "forgets a failure's error",
            "WhatIsKept",
            Fail.class,
            (next, f) -> with(next, "error", "")),
        stored(
            "forgets a failure's back-off",
            "Settlements",
            Fail.class,
            (next, f) -> with(next, "busyUntil", next.updated())),
        stored(
            "keeps the attempts of what failed",
            "Settlements",
            Fail.class,
            (next, f) -> with(next, "attempts", f.attempts())),
        stored(
            "removes what is released",
            "Settlements",
            Release.class,
            (next, f) -> with(next, "expires", next.updated())),
        stored(
            "forgets attempts when what did not start is released",
            "ClaimsOfSettledKeys",
            Release.class,
            (next, f) -> with(next, "attempts", 0)),
        stored(
            "keeps attempts when what did start is released",
            "Settlements",
            Release.class,
            (next, f) ->
                f.start() == StartMark.STARTED ? with(next, "attempts", f.attempts()) : next),
        settle(
            "names nobody as the holder",
            "Fences",
            (t, f, r, now) -> {
              Transition<SettleAnswer> sound = t.settle(f, r, now);
              return sound.answer() instanceof Fenced ? fenced(null) : sound;
            }));
  }

  private static Defect settle(
      String says, String section, Rule<SettleRequest, SettleAnswer> rule) {
    return Defect.of(says, section, BrokenRules.settling(rule));
  }

  private static Defect unfenced(String verb, Class<? extends Settlement> kind) {
    return settle(
        verb + " whoever asks",
        "Fences",
        (t, f, r, now) ->
            t.settle(f, f != null && kind.isInstance(r.settlement()) ? byHolder(f, r) : r, now));
  }

  private static SettleRequest byHolder(ClaimRecord found, SettleRequest request) {
    Claim holder = new Claim(request.claim().key(), found.claimId(), found.token());
    return new SettleRequest(holder, request.settlement());
  }

  /** Takes the claim for another. */
  private static Defect asked(String says, String section, Reading reading) {
    return settle(
        says,
        section,
        (t, f, r, now) ->
            t.settle(
                f, f == null ? r : new SettleRequest(reading.read(f, r), r.settlement()), now));
  }

  /** Stores a settlement of that kind wrongly. */
  private static Defect stored(
      String says, String section, Class<? extends Settlement> kind, Writing writing) {
    return settle(
        says,
        section,
        (t, f, r, now) -> {
          Transition<SettleAnswer> sound = t.settle(f, r, now);
          return sound.changes() && kind.isInstance(r.settlement())
              ? new Transition<>(writing.write(sound.record(), f), sound.answer())
              : sound;
        });
  }

  private static boolean isAgain(ClaimRecord found, SettleRequest request) {
    return found != null
        && found.state() == State.SUCCEEDED
        && found.claimId().equals(request.claim().id())
        && found.token() == request.claim().token()
        && request.settlement() instanceof Complete;
  }

  private static Duration ttl(SettleRequest request) {
    return ((Complete) request.settlement()).ttl();
  }

  private static Transition<SettleAnswer> fenced(ClaimRecord found) {
    return new Transition<>(null, new Fenced(Holder.of(found)));
  }

  private interface Reading {
    Claim read(ClaimRecord found, SettleRequest request);
  }

  private interface Writing {
    ClaimRecord write(ClaimRecord next, ClaimRecord found);
  }
}
