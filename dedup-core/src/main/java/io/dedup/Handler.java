// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import org.jspecify.annotations.Nullable;

/**
 * Does the effect that a key stands for.
 *
 * @param <T> what the effect answers
 */
@FunctionalInterface
public interface Handler<T> {

  /**
   * Does the effect.
   *
   * @return its answer, null for none
   * @throws Exception if nothing was done, or what was done may be done again: the next delivery
   *     runs. A {@link io.dedup.claim.StoreException} is trouble with a store, and not counted as
   *     the handler's failure; neither is a {@link CommitIndeterminate}, after which the effect may
   *     be done
   */
  @Nullable T handle(DedupContext context) throws Exception;
}
