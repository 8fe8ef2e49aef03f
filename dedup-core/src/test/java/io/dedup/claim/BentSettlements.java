// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.BentTable.changed;
import static io.dedup.claim.BentTable.is;

import io.dedup.claim.BentTable.SettleRule;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rules of settling, each bent, and a store that purges too much. */
final class BentSettlements {

  private BentSettlements() {}

  static List<BentRule> all() {
    return List.of(
        unfenced("a completion needs no claim", Settlement.Complete.class),
        unfenced("a failure needs no claim", Settlement.Fail.class),
        unfenced("a release needs no claim", Settlement.Release.class),
        unfenced("a renewal needs no claim", Settlement.Renew.class),
        BentRule.of(
            "a start needs no claim",
            SmallWorlds.START_LATER,
            Invariant.STALE_SETTLEMENT_CHANGES_NOTHING,
            table(Settlement.Start.class, BentSettlements::byAnybody)),
        bent(
            "any claim with the newest token settles",
            SmallWorlds.FLUSHED_AT_ONCE,
            Invariant.ONE_OWNER,
            Settlement.class,
            (rules, found, request, now) -> {
              boolean same = found != null && found.token() == request.claim().token();
              return same
                  ? byAnybody(rules, found, request, now)
                  : rules.settle(found, request, now);
            }),
        bent(
            "a claim settles with any token",
            SmallWorlds.FLUSHED,
            Invariant.STALE_SETTLEMENT_CHANGES_NOTHING,
            Settlement.class,
            (rules, found, request, now) -> {
              boolean same = found != null && found.claimId().equals(request.claim().id());
              return same
                  ? byAnybody(rules, found, request, now)
                  : rules.settle(found, request, now);
            }),
        bent(
            "any claim settles",
            SmallWorlds.RERUN_LATE,
            Invariant.ONE_OWNER,
            Settlement.class,
            BentSettlements::byAnybody),
        bent(
            "what is done can still fail",
            SmallWorlds.RERUN_LATE,
            Invariant.STALE_SETTLEMENT_CHANGES_NOTHING,
            Settlement.Fail.class,
            (rules, found, request, now) ->
                is(found, State.SUCCEEDED)
                    ? byAnybody(rules, opened(found), request, now)
                    : rules.settle(found, request, now)),
        bent(
            "a renewal sent late opens what is done",
            SmallWorlds.RERUN_LATE,
            Invariant.SETTLED_ONCE,
            Settlement.Renew.class,
            (rules, found, request, now) ->
                rules.settle(is(found, State.SUCCEEDED) ? opened(found) : found, request, now)),
        bent(
            "a completion is refused once the lease is over",
            SmallWorlds.RERUN_LATE,
            Invariant.NEWEST_CLAIM_SETTLES,
            Settlement.Complete.class,
            (rules, found, request, now) ->
                is(found, State.PROCESSING) && !found.busyUntil().isAfter(now)
                    ? Transition.unchanged(new SettleAnswer.Fenced(Holder.of(found)))
                    : rules.settle(found, request, now)),
        bent(
            "a completion sent again is refused",
            SmallWorlds.RERUN_LATE,
            Invariant.RESEND_SAME_ANSWER,
            Settlement.Complete.class,
            (rules, found, request, now) ->
                is(found, State.SUCCEEDED)
                    ? Transition.unchanged(new SettleAnswer.Fenced(Holder.of(found)))
                    : rules.settle(found, request, now)),
        bent(
            "a completion sent again keeps the record longer",
            SmallWorlds.RERUN_LATE,
            Invariant.RESEND_SAME_ANSWER,
            Settlement.Complete.class,
            (rules, found, request, now) ->
                rules.settle(is(found, State.SUCCEEDED) ? opened(found) : found, request, now)),
        after(
            "what is done is kept no longer than it was claimed",
            Invariant.RECORD_IS_KEPT,
            Settlement.Complete.class,
            (next, found) -> next.expires(found.busyUntil())),
        after(
            "a completion is stored without its result",
            Invariant.DONE_MEANS_EFFECT,
            Settlement.Complete.class,
            (next, found) -> next.result(null)),
        after(
            "a completion leaves the key in progress",
            Invariant.DONE_STAYS_DONE,
            Settlement.Complete.class,
            (next, found) -> next.state(State.PROCESSING)),
        after(
            "a renewal renews nothing",
            Invariant.LEASE_IS_GIVEN,
            Settlement.Renew.class,
            (next, found) -> next.busyUntil(found.busyUntil())),
        after(
            "a renewal moves the lease and not the expiry",
            Invariant.RECORD_IS_KEPT,
            Settlement.Renew.class,
            (next, found) -> next.expires(found.expires())),
        new BentRule(
            "a purge removes what is in progress",
            SmallWorlds.RERUN_LATE,
            Invariant.RECORD_IS_KEPT,
            () ->
                new Bench(
                    TransitionTable.rules(),
                    time ->
                        new CarelessPurge(
                            new InMemoryClaimStore(TransitionTable.rules(), time, 1)))));
  }

  private static BentRule unfenced(String name, Class<? extends Settlement> kind) {
    return bent(
        name,
        SmallWorlds.RERUN_LATE,
        kind == Settlement.Complete.class
            ? Invariant.ONE_OWNER
            : Invariant.STALE_SETTLEMENT_CHANGES_NOTHING,
        kind,
        BentSettlements::byAnybody);
  }

  private static BentRule after(
      String name,
      Invariant broken,
      Class<? extends Settlement> kind,
      BiFunction<Records, ClaimRecord, Records> change) {
    return bent(
        name,
        SmallWorlds.RERUN_LATE,
        broken,
        kind,
        (rules, found, request, now) -> {
          Transition<SettleAnswer> real = rules.settle(found, request, now);
          if (found == null || real.record() == null) {
            return real;
          }
          UnaryOperator<Records> after = next -> change.apply(next, found);
          return Transition.to(changed(real.record(), after), real.answer());
        });
  }

  private static BentRule bent(
      String name,
      Setting world,
      Invariant broken,
      Class<? extends Settlement> kind,
      SettleRule rule) {
    return BentRule.of(name, world, broken, table(kind, rule));
  }

  private static TransitionTable table(Class<? extends Settlement> kind, SettleRule rule) {
    return BentTable.settlements(
        (rules, found, request, now) ->
            kind.isInstance(request.settlement())
                ? rule.of(rules, found, request, now)
                : rules.settle(found, request, now));
  }

  private static Transition<SettleAnswer> byAnybody(
      TransitionTable rules, @Nullable ClaimRecord found, SettleRequest request, Instant now) {
    if (found == null) {
      return rules.settle(null, request, now);
    }
    Claim newest = new Claim(request.claim().key(), found.claimId(), found.token());
    return rules.settle(found, new SettleRequest(newest, request.settlement()), now);
  }

  private static ClaimRecord opened(ClaimRecord found) {
    return changed(found, r -> r.state(State.PROCESSING));
  }
}
