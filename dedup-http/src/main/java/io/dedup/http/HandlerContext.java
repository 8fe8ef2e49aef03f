// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import io.dedup.Held;
import io.dedup.key.IdempotencyKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may know of its claim. A handler behind method security gets it before its key is
 * claimed, and may use it once it runs. Thread-safe.
 */
final class HandlerContext implements DedupContext {

  private volatile @Nullable Held held;
  private volatile boolean pastNoReturn;

  void begin(Held claim) {
    held = claim;
  }

  boolean hasBegun() {
    return held != null;
  }

  /**
   * Returns the claim.
   *
   * @throws IllegalStateException if there is none: the store was down, and the policy is to run
   *     unguarded then
   */
  Held held() {
    Held claim = held;
    if (claim == null) {
      throw new IllegalStateException("this request runs without a claim");
    }
    return claim;
  }

  boolean pastNoReturn() {
    return pastNoReturn;
  }

  @Override
  public IdempotencyKey key() {
    return held().context().key();
  }

  @Override
  public long fencingToken() {
    return held().context().fencingToken();
  }

  @Override
  public int attempt() {
    return held().context().attempt();
  }

  @Override
  public boolean takenOver() {
    return held().context().takenOver();
  }

  @Override
  public UUID childId(String name) {
    return held().context().childId(name);
  }

  @Override
  public boolean leaseLost() {
    return held().context().leaseLost();
  }

  @Override
  public void pointOfNoReturn() {
    held().context().pointOfNoReturn();
    // Only now: who was refused has not passed it.
    pastNoReturn = true;
  }
}
