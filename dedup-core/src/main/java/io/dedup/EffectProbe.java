// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the effect of a lost worker is done, by asking the system that the effect is
 * in. Implementations are thread-safe.
 */
@FunctionalInterface
public interface EffectProbe {

  /**
   * Looks.
   *
   * @throws Exception if it cannot be told now; the key stays in doubt, and the next delivery asks
   *     again
   */
  Finding probe(IdempotencyKey key) throws Exception;

  /** What was found. */
  sealed interface Finding {

    /**
     * The effect is done.
     *
     * @param result what it answered, null for nothing to keep
     */
    record Done(@Nullable StoredResult result) implements Finding {}

    /** The effect is not done, and will not be done by the lost worker. */
    record NotDone() implements Finding {}
  }
}
