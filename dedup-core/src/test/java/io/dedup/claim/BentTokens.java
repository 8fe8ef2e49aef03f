// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.BentTable.changed;
import static io.dedup.claim.BentTable.heldBy;
import static io.dedup.claim.BentTable.is;
import static io.dedup.claim.BentTable.isOf;

import io.dedup.claim.BentTable.ClaimRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of tokens, claim ids and claims sent again, each bent. */
final class BentTokens {

  private static final ClaimId NOBODYS = new ClaimId(3, 9);

  private BentTokens() {}

  static List<BentRule> all() {
    return List.of(
        bent(
            "a token stays as it was",
            SmallWorlds.RERUN_LATE,
            Invariant.TOKENS_GROW,
            tokens((found, now) -> found == null ? micros(now) : found.token())),
        bent(
            "a token is the time alone",
            SmallWorlds.RERUN_LATE,
            Invariant.TOKENS_GROW,
            tokens((found, now) -> micros(now))),
        bent(
            "a token counts from the record alone, which was purged",
            SmallWorlds.RERUN_LATE,
            Invariant.TOKENS_GROW,
            tokens((found, now) -> found == null ? 1 : found.token() + 1)),
        bent(
            "a token begins anew after the expiry",
            SmallWorlds.RERUN_LATE,
            Invariant.TOKENS_GROW,
            tokens((found, now) -> found == null || !found.isLive(now) ? 1 : found.token() + 1)),
        bent(
            "a token begins anew after a flush",
            SmallWorlds.FLUSHED,
            Invariant.TOKENS_GROW,
            tokens((found, now) -> found == null ? 1 : Math.max(found.token() + 1, micros(now)))),
        bent(
            "what a worker has seen is ignored",
            SmallWorlds.FLUSHED_AT_ONCE,
            Invariant.TOKEN_ABOVE_FLOOR,
            BentTable.asked(r -> r.tokenFloor(0))),
        bent(
            "a claim sent again gets a new token",
            SmallWorlds.RERUN_LATE,
            Invariant.RESEND_SAME_ANSWER,
            (rules, found, request, now) ->
                rules.claim(
                    is(found, State.PROCESSING) && isOf(found, request)
                        ? heldBy(changed(found, r -> r.busyUntil(now)), NOBODYS)
                        : found,
                    request,
                    now)),
        bent(
            "a claim sent again is busy with itself",
            SmallWorlds.RERUN_LATE,
            Invariant.RESEND_SAME_ANSWER,
            (rules, found, request, now) ->
                rules.claim(
                    is(found, State.PROCESSING) && isOf(found, request)
                        ? heldBy(found, NOBODYS)
                        : found,
                    request,
                    now)),
        bent(
            "a claim sent again after its lease gets none",
            SmallWorlds.RERUN_LATE,
            Invariant.LEASE_IS_GIVEN,
            (rules, found, request, now) ->
                is(found, State.PROCESSING) && isOf(found, request) && found.isLive(now)
                    ? Transition.unchanged(acquired(found, found.attempts(), now))
                    : rules.claim(found, request, now)),
        bent(
            "a claim sent again counts as another attempt",
            SmallWorlds.RERUN_LATE,
            Invariant.ATTEMPTS_COUNT_STARTS,
            (rules, found, request, now) -> {
              if (!is(found, State.PROCESSING) || !isOf(found, request)) {
                return rules.claim(found, request, now);
              }
              int attempts = found.attempts() + 1;
              return Transition.to(
                  changed(found, r -> r.attempts(attempts)), acquired(found, attempts, now));
            }),
        bent(
            "a claim id that has settled works again",
            SmallWorlds.RERUN_LATE,
            Invariant.CLAIM_ID_WORKS_ONCE,
            (rules, found, request, now) ->
                rules.claim(
                    found != null && !is(found, State.PROCESSING) && isOf(found, request)
                        ? heldBy(found, NOBODYS)
                        : found,
                    request,
                    now)));
  }

  private static BentRule bent(String name, Setting world, Invariant broken, ClaimRule rule) {
    return BentRule.of(name, world, broken, BentTable.claims(rule));
  }

  /** Makes the token of a new claim. */
  @FunctionalInterface
  private interface TokenRule {
    long of(@Nullable ClaimRecord found, Instant now);
  }

  private static ClaimRule tokens(TokenRule rule) {
    return (rules, found, request, now) -> {
      Transition<ClaimAnswer> real = rules.claim(found, request, now);
      ClaimRecord record = real.record();
      if (!is(record, State.PROCESSING) || isOf(found, request)) {
        return real;
      }
      long token = rule.of(found, now);
      ClaimRecord next = changed(record, r -> r.token(token));
      return Transition.to(next, acquired(next, next.attempts(), now));
    };
  }

  /** The answer to a claim whose start is recorded with it. */
  private static ClaimAnswer acquired(ClaimRecord record, int attempt, Instant now) {
    Duration left = Duration.between(now, record.busyUntil());
    return new ClaimAnswer.Acquired(record.token(), attempt, record.takenOver(), left);
  }

  private static long micros(Instant now) {
    return now.getEpochSecond() * 1_000_000;
  }
}
