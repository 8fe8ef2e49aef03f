// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.key.IdempotencyKey;
import java.util.UUID;

/** The context of a handler. Thread-safe. */
final class RunContext implements DedupContext {

  private final IdempotencyKey key;
  private final ClaimAnswer.Acquired acquired;
  private final Grip grip;

  RunContext(IdempotencyKey key, ClaimAnswer.Acquired acquired, Grip grip) {
    this.key = key;
    this.acquired = acquired;
    this.grip = grip;
  }

  @Override
  public IdempotencyKey key() {
    return key;
  }

  @Override
  public long fencingToken() {
    return acquired.token();
  }

  @Override
  public int attempt() {
    return acquired.attempt();
  }

  @Override
  public boolean takenOver() {
    return acquired.takenOver();
  }

  @Override
  public UUID childId(String name) {
    return ChildId.of(key, name);
  }

  @Override
  public boolean leaseLost() {
    return grip.isLost();
  }

  @Override
  public void pointOfNoReturn() {
    grip.confirm();
  }

  /** What keeps others from the key while a handler runs. */
  interface Grip {

    /** Returns whether it is gone. */
    boolean isLost();

    /**
     * Makes sure that it is there.
     *
     * @throws LeaseLost if it is gone
     */
    void confirm();
  }
}
