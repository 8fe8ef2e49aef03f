// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Holder;
import io.dedup.time.ProcessClock;

/** A lease keeps others from the key. */
record LeaseGrip(HeldClaim held, LeaseKeeper keeper, ProcessClock clock)
    implements RunContext.Grip {

  @Override
  public boolean isLost() {
    return held.isOver(clock.nanoTime());
  }

  @Override
  public void confirm() {
    if (!keeper.renewNow(held)) {
      Holder current = held.takenBy();
      throw new LeaseLost(current == null ? Holder.nobody() : current);
    }
  }
}
