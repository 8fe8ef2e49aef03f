// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.BentTable.changed;
import static io.dedup.claim.BentTable.heldBy;
import static io.dedup.claim.BentTable.is;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of operators and of handing out keys, each bent. */
final class BentByHand {

  private BentByHand() {}

  static List<BentRule> all() {
    return List.of(
        BentRule.of(
            "an operator takes away a key that is worked on",
            SmallWorlds.OPERATED,
            Invariant.OPERATOR_IS_HEARD,
            new TakingAway()),
        BentRule.of(
            "a resolved key stays with the claim that was lost",
            SmallWorlds.OPERATED,
            Invariant.STALE_SETTLEMENT_CHANGES_NOTHING,
            new LeavingTheClaim()),
        BentRule.of(
            "a key is handed out that was used",
            SmallWorlds.ISSUED_ONLY,
            Invariant.ONLY_ISSUED_KEYS,
            new HandingOutAgain(State.SUCCEEDED)),
        BentRule.of(
            "a key that was handed out is made anew",
            SmallWorlds.ISSUED_ONLY,
            Invariant.NOTHING_ELSE_CHANGES,
            new HandingOutAgain(State.ISSUED)));
  }

  private static final class TakingAway extends TransitionTable {
    @Override
    public Transition<SettleAnswer> reopen(
        @Nullable ClaimRecord found, String note, Instant storeTime) {
      ClaimRecord over =
          is(found, State.PROCESSING) ? changed(found, r -> r.busyUntil(Instant.EPOCH)) : found;
      return super.reopen(over, note, storeTime);
    }
  }

  private static final class LeavingTheClaim extends TransitionTable {
    @Override
    public Transition<SettleAnswer> resolve(
        @Nullable ClaimRecord found,
        long token,
        Resolution resolution,
        String note,
        Instant storeTime) {
      Transition<SettleAnswer> real = super.resolve(found, token, resolution, note, storeTime);
      return found == null || real.record() == null
          ? real
          : Transition.to(
              heldBy(changed(real.record(), r -> r.token(token)), found.claimId()), real.answer());
    }
  }

  private static final class HandingOutAgain extends TransitionTable {
    private final State state;

    HandingOutAgain(State state) {
      this.state = state;
    }

    @Override
    public Transition<Boolean> issue(@Nullable ClaimRecord found, Duration ttl, Instant storeTime) {
      return super.issue(is(found, state) ? null : found, ttl, storeTime);
    }
  }
}
