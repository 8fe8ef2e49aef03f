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
   * @throws Exception if nothing was done, or what was done may be done again: the next delivery runs
   */
  @Nullable T handle(DedupContext context) throws Exception;
}
