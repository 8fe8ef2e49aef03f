// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.BentTable.asked;
import static io.dedup.claim.BentTable.changed;
import static io.dedup.claim.BentTable.found;
import static io.dedup.claim.BentTable.is;
import static io.dedup.claim.BentTable.isOf;
import static io.dedup.claim.BentTable.withoutDoubt;

import io.dedup.claim.BentTable.ClaimRule;
import io.dedup.claim.BentTable.SettleRule;
import java.util.List;

/** Rules of starts, takeovers, doubt and attempts, each bent. */
final class BentStarts {

  private BentStarts() {}

  static List<BentRule> all() {
    return List.of(
        bent(
            "doubt is not held",
            SmallWorlds.HOLDING,
            Invariant.DOUBT_IS_HELD,
            asked(r -> r.onLeaseExpired(OnLeaseExpired.RERUN))),
        bent(
            "what never started is held",
            SmallWorlds.HOLDING,
            Invariant.FREE_KEY_IS_GIVEN,
            found(State.PROCESSING, r -> r.start(StartMark.STARTED))),
        bent(
            "what started with its claim is not held",
            SmallWorlds.HOLDING_NOW,
            Invariant.DOUBT_IS_HELD,
            found(State.PROCESSING, r -> r.start(StartMark.NOT_STARTED))),
        bent(
            "what did not record its start counts as not started",
            SmallWorlds.START_UNRECORDED,
            Invariant.TAKEOVER_IS_TOLD,
            found(State.PROCESSING, r -> r.start(StartMark.NOT_STARTED))),
        bent(
            "a start is not stored",
            SmallWorlds.HOLDING,
            Invariant.ATTEMPTS_COUNT_STARTS,
            settle(Settlement.Start.class, (rules, found, request, now) -> applied())),
        bent(
            "a start counts as often as it is sent",
            SmallWorlds.HOLDING,
            Invariant.ATTEMPTS_COUNT_STARTS,
            settle(
                Settlement.Start.class,
                (rules, found, request, now) ->
                    rules.settle(
                        is(found, State.PROCESSING)
                            ? changed(found, r -> r.start(StartMark.NOT_STARTED))
                            : found,
                        request,
                        now))),
        bent(
            "a start sent late opens what is settled",
            SmallWorlds.START_LATER,
            Invariant.SETTLED_ONCE,
            settle(
                Settlement.Start.class,
                (rules, found, request, now) ->
                    rules.settle(
                        found == null ? null : changed(found, r -> r.state(State.PROCESSING)),
                        request,
                        now))),
        bent(
            "attempts begin anew with a takeover",
            SmallWorlds.RERUN_LATE,
            Invariant.ATTEMPTS_COUNT_STARTS,
            found(State.PROCESSING, r -> r.attempts(0))),
        bent(
            "attempts go on after a failure",
            SmallWorlds.RERUN_LATE,
            Invariant.ATTEMPTS_COUNT_STARTS,
            settle(
                Settlement.Fail.class,
                (rules, found, request, now) -> {
                  Transition<SettleAnswer> real = rules.settle(found, request, now);
                  return found == null || real.record() == null
                      ? real
                      : Transition.to(
                          changed(real.record(), r -> r.attempts(found.attempts())), real.answer());
                })),
        bent(
            "attempts begin anew with the release of what did not start",
            SmallWorlds.PROBING_LONG,
            Invariant.ATTEMPTS_COUNT_STARTS,
            settle(
                Settlement.Release.class,
                (rules, found, request, now) ->
                    rules.settle(
                        found == null ? null : changed(found, r -> r.attempts(0)), request, now))),
        bent(
            "a takeover is not told",
            SmallWorlds.PROBING,
            Invariant.TAKEOVER_IS_TOLD,
            found(State.PROCESSING, r -> r.start(StartMark.NOT_STARTED))),
        bent(
            "doubt ends with a successor that never started",
            SmallWorlds.PROBING_LONG,
            Invariant.TAKEOVER_IS_TOLD,
            forgettingDoubt(State.PROCESSING)),
        bent(
            "doubt ends with a successor's failure",
            SmallWorlds.PROBING_LONG,
            Invariant.TAKEOVER_IS_TOLD,
            forgettingDoubt(State.FAILED)),
        bent(
            "doubt ends with a successor's release",
            SmallWorlds.PROBING_LONG,
            Invariant.TAKEOVER_IS_TOLD,
            forgettingDoubt(State.RELEASED)));
  }

  private static ClaimRule forgettingDoubt(State state) {
    return (rules, found, request, now) ->
        rules.claim(
            is(found, state) && !isOf(found, request) ? withoutDoubt(found) : found, request, now);
  }

  private static SettleRule settle(Class<? extends Settlement> kind, SettleRule rule) {
    return (rules, found, request, now) ->
        kind.isInstance(request.settlement())
            ? rule.of(rules, found, request, now)
            : rules.settle(found, request, now);
  }

  private static Transition<SettleAnswer> applied() {
    return Transition.unchanged(new SettleAnswer.Applied());
  }

  private static BentRule bent(String name, Setting world, Invariant broken, ClaimRule rule) {
    return BentRule.of(name, world, broken, BentTable.claims(rule));
  }

  private static BentRule bent(String name, Setting world, Invariant broken, SettleRule rule) {
    return BentRule.of(name, world, broken, BentTable.settlements(rule));
  }
}
