// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.BrokenRules;
import io.dedup.claim.BrokenRules.Resolving;
import io.dedup.claim.BrokenRules.Rule;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Defects of the cold verbs: one rule of the table each. */
final class ColdDefects {

  private ColdDefects() {}

  static List<Defect> all() {
    return List.of(
        issue("hands out a key that is used", (t, f, ttl, now) -> t.issue(null, ttl, now)),
        issue(
            "says issued of a key that is used",
            (t, f, ttl, now) -> with(t.issue(f, ttl, now), "answer", true)),
        issue(
            "keeps an issued key longer when it is issued again",
            (t, f, ttl, now) ->
                t.issue(f != null && f.state() == State.ISSUED ? null : f, ttl, now)),
        resolve(
            "resolves whatever the token",
            (t, f, q, now) -> resolved(t, f, f == null ? q : with(q, "token", f.token()), now)),
        resolve(
            "resolves a live claim",
            (t, f, q, now) ->
                resolved(t, f == null ? null : with(f, "busyUntil", Instant.EPOCH), q, now)),
        resolve(
            "lets the lost claim keep its id and token",
            (t, f, q, now) -> {
              Transition<SettleAnswer> sound = resolved(t, f, q, now);
              return sound.changes()
                  ? with(
                      sound,
                      "record",
                      with(with(sound.record(), "claimId", f.claimId()), "token", f.token()))
                  : sound;
            }),
        resolve(
            "keeps no note of who resolved",
            (t, f, q, now) -> rewritten(resolved(t, f, q, now), "error", null)),
        reopen(
            "takes a live claim away",
            (t, f, note, now) ->
                t.reopen(f == null ? null : with(f, "busyUntil", Instant.EPOCH), note, now)),
        reopen(
            "reopens with the old token",
            (t, f, note, now) ->
                rewritten(t.reopen(f, note, now), "token", f == null ? 0 : f.token())),
        reopen(
            "reopens and keeps the claim id",
            (t, f, note, now) ->
                rewritten(t.reopen(f, note, now), "claimId", f == null ? null : f.claimId())),
        reopen(
            "reopens and keeps the result",
            (t, f, note, now) ->
                rewritten(t.reopen(f, note, now), "result", f == null ? null : f.result())),
        merge("lets the last copy win", (t, f, copy, now) -> new Transition<>(copy, true)),
        merge(
            "lets the lower token win",
            (t, f, copy, now) ->
                f == null || f.state() == State.SUCCEEDED || copy.state() == State.SUCCEEDED
                    ? t.merge(f, copy, now)
                    : changedIf(copy.token() < f.token(), copy)),
        merge(
            "lets the higher token win over what is done",
            (t, f, copy, now) ->
                f == null ? t.merge(f, copy, now) : changedIf(copy.token() > f.token(), copy)),
        merge(
            "lets a token shrink for what is done",
            (t, f, copy, now) ->
                rewritten(
                    t.merge(f, copy, now),
                    "token",
                    f != null && copy.token() < f.token() && copy.state() == State.SUCCEEDED
                        ? copy.token()
                        : f == null ? copy.token() : Math.max(f.token(), copy.token()))),
        merge(
            "keeps the earlier copy of a claim",
            (t, f, copy, now) ->
                f != null && f.token() == copy.token() && f.claimId().equals(copy.claimId())
                    ? new Transition<>(null, false)
                    : t.merge(f, copy, now)),
        merge(
            "takes any copy of a claim",
            (t, f, copy, now) ->
                f != null && f.token() == copy.token() && f.claimId().equals(copy.claimId())
                    ? changedIf(!f.equals(copy), copy)
                    : t.merge(f, copy, now)),
        merge(
            "takes a tombstone for any released key",
            (t, f, copy, now) ->
                f != null && f.state() == State.SUCCEEDED && copy.isTombstone()
                    ? new Transition<>(null, false)
                    : t.merge(f, copy, now)),
        merge(
            "lets what was done undo a tombstone",
            (t, f, copy, now) ->
                f != null && f.isTombstone() && copy.state() == State.SUCCEEDED
                    ? new Transition<>(copy, true)
                    : t.merge(f, copy, now)),
        merge(
            "shortens the expiry of what is done",
            (t, f, copy, now) -> {
              Transition<Boolean> sound = t.merge(f, copy, now);
              return rewritten(sound, "expires", copy.expires());
            }),
        merge(
            "merges what has expired",
            (t, f, copy, now) ->
                t.merge(f, changed(copy, "expires", (Instant e) -> e.plusSeconds(1)), now)),
        extend(
            "extends from now",
            (t, f, ttl, now) -> rewritten(t.extend(f, ttl, now), "expires", now.plus(ttl))),
        extend(
            "shortens what it should extend",
            (t, f, ttl, now) ->
                f != null && f.state() == State.SUCCEEDED
                    ? new Transition<>(with(f, "expires", f.updated().plus(ttl)), true)
                    : t.extend(f, ttl, now)),
        extend(
            "extends what is not done",
            (t, f, ttl, now) ->
                f == null
                    ? t.extend(f, ttl, now)
                    : new Transition<>(with(f, "expires", now.plus(ttl)), true)),
        extend(
            "brings back what has expired",
            (t, f, ttl, now) ->
                t.extend(f == null ? null : with(f, "expires", now.plusSeconds(1)), ttl, now)));
  }

  private static Defect issue(String says, Rule<Duration, Boolean> rule) {
    return Defect.of(says, "Issues", BrokenRules.issuing(rule));
  }

  private static Defect resolve(String says, Rule<Resolving, SettleAnswer> rule) {
    return Defect.of(says, "OperatorsDecisions", BrokenRules.resolving(rule));
  }

  private static Defect reopen(String says, Rule<String, SettleAnswer> rule) {
    return Defect.of(says, "OperatorsDecisions", BrokenRules.reopening(rule));
  }

  private static Defect merge(String says, Rule<ClaimRecord, Boolean> rule) {
    return Defect.of(says, "Merges", BrokenRules.merging(rule));
  }

  private static Defect extend(String says, Rule<Duration, Boolean> rule) {
    return Defect.of(says, "HowLongIsKept", BrokenRules.extending(rule));
  }

  private static Transition<SettleAnswer> resolved(
      TransitionTable sound, ClaimRecord found, Resolving q, Instant now) {
    return sound.resolve(found, q.token(), q.resolution(), q.note(), now);
  }

  /** The same decision, with one field of the stored record changed. */
  private static <A> Transition<A> rewritten(Transition<A> sound, String field, Object value) {
    return sound.changes()
        ? new Transition<>(with(sound.record(), field, value), sound.answer())
        : sound;
  }

  private static Transition<Boolean> changedIf(boolean wins, ClaimRecord copy) {
    return new Transition<>(wins ? copy : null, wins);
  }
}
