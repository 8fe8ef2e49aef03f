// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.BentTable.asked;
import static io.dedup.claim.BentTable.changed;
import static io.dedup.claim.BentTable.completed;
import static io.dedup.claim.BentTable.found;
import static io.dedup.claim.BentTable.is;
import static io.dedup.claim.BentTable.isOver;

import io.dedup.claim.BentTable.ClaimRule;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rules of who gets a key, each bent. */
final class BentClaims {

  private BentClaims() {}

  static List<BentRule> all() {
    return List.of(
        bent(
            "a running lease is ignored",
            SmallWorlds.RERUN_LATE,
            Invariant.LEASE_IS_RESPECTED,
            found(State.PROCESSING, r -> r.busyUntil(Instant.EPOCH))),
        bent(
            "a back-off is ignored",
            SmallWorlds.BACKING_OFF,
            Invariant.LEASE_IS_RESPECTED,
            found(State.FAILED, r -> r.busyUntil(Instant.EPOCH))),
        bent(
            "a lease never ends",
            SmallWorlds.RERUN_LATE,
            Invariant.FREE_KEY_IS_GIVEN,
            found(State.PROCESSING, r -> r.busyUntil(Instant.MAX))),
        bent(
            "a lease that is over means done",
            SmallWorlds.RERUN_LATE,
            Invariant.DONE_MEANS_EFFECT,
            (rules, found, request, now) ->
                isOver(found, request, now) ? completed(found) : rules.claim(found, request, now)),
        bent(
            "a failure means done",
            SmallWorlds.RERUN_LATE,
            Invariant.DONE_MEANS_EFFECT,
            (rules, found, request, now) ->
                is(found, State.FAILED) ? completed(found) : rules.claim(found, request, now)),
        bent(
            "what is done runs again",
            SmallWorlds.RERUN_LATE,
            Invariant.DONE_STAYS_DONE,
            found(State.SUCCEEDED, r -> r.state(State.FAILED))),
        bent(
            "what has expired still counts",
            SmallWorlds.RERUN_LATE,
            Invariant.DONE_MEANS_EFFECT,
            (rules, found, request, now) ->
                found != null && !found.isLive(now)
                    ? completed(found)
                    : rules.claim(found, request, now)),
        bent(
            "a released key stays with who released it",
            SmallWorlds.RERUN_LATE,
            Invariant.FREE_KEY_IS_GIVEN,
            (rules, found, request, now) ->
                is(found, State.RELEASED)
                    ? Transition.unchanged(
                        new ClaimAnswer.InProgress(found.owner(), Duration.ZERO, found.origin()))
                    : rules.claim(found, request, now)),
        bent(
            "a late claim is executed",
            SmallWorlds.LIMITED,
            Invariant.LATE_CLAIM_DOES_NOTHING,
            asked(r -> r.notAfter(null))),
        bent(
            "a record expires before its lease",
            SmallWorlds.RERUN_LATE,
            Invariant.RECORD_IS_KEPT,
            acquiring((r, record) -> r.expires(record.busyUntil().minusSeconds(1)))),
        bent(
            "a record expires with its lease",
            SmallWorlds.RERUN_LATE,
            Invariant.RECORD_IS_KEPT,
            acquiring((r, record) -> r.expires(record.busyUntil()))),
        bent(
            "another message is not noticed",
            SmallWorlds.MIXED_UP,
            Invariant.OTHER_MESSAGE_CONFLICTS,
            asked(r -> r.fingerprint(Fingerprint.none()))),
        bent(
            "another message gets a key whose lease is over",
            SmallWorlds.MIXED_UP,
            Invariant.OTHER_MESSAGE_CONFLICTS,
            (rules, found, request, now) ->
                rules.claim(
                    isOver(found, request, now)
                        ? changed(found, r -> r.state(State.FAILED))
                        : found,
                    request,
                    now)),
        bent(
            "failures run again that are to be reported",
            SmallWorlds.REPORTING,
            Invariant.FAILURE_IS_REPORTED,
            asked(r -> r.onFailed(OnFailed.RERUN))),
        bent(
            "failures are reported that are to run again",
            SmallWorlds.RERUN_LATE,
            Invariant.FREE_KEY_IS_GIVEN,
            asked(r -> r.onFailed(OnFailed.REPORT))),
        bent(
            "what is met is not kept longer",
            SmallWorlds.REPORTING,
            Invariant.RECORD_IS_KEPT,
            asked(r -> r.slide(false))),
        bent(
            "any key counts as handed out",
            SmallWorlds.ISSUED_ONLY,
            Invariant.ONLY_ISSUED_KEYS,
            asked(r -> r.requireIssued(false))),
        bent(
            "a force is ignored",
            SmallWorlds.FORCED,
            Invariant.FREE_KEY_IS_GIVEN,
            asked(r -> r.force(false))),
        bent(
            "an origin forces as often as it comes",
            SmallWorlds.FORCED,
            Invariant.ONCE_PER_ORIGIN,
            (rules, found, request, now) -> {
              boolean again = is(found, State.SUCCEEDED) && request.force();
              ClaimRecord unforced = again ? changed(found, r -> r.state(State.RELEASED)) : found;
              return rules.claim(unforced, request, now);
            }));
  }

  private static BentRule bent(String name, Setting world, Invariant broken, ClaimRule rule) {
    return BentRule.of(name, world, broken, BentTable.claims(rule));
  }

  /** What a record is to be after a claim, beside what the real rules make of it. */
  @FunctionalInterface
  private interface After {
    Records of(Records next, ClaimRecord real);
  }

  private static ClaimRule acquiring(After change) {
    return (rules, found, request, now) -> {
      Transition<ClaimAnswer> real = rules.claim(found, request, now);
      ClaimRecord record = real.record();
      UnaryOperator<Records> after = r -> change.of(r, record);
      return is(record, State.PROCESSING)
          ? Transition.to(changed(record, after), real.answer())
          : real;
    };
  }
}
