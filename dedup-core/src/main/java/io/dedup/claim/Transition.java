// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import org.jspecify.annotations.Nullable;

/**
 * What the table decided: an answer, and the record to store with it.
 *
 * @param record the record as it is to be from now on; null to leave what is there
 * @param answer the answer
 * @param <A> the kind of answer
 */
public record Transition<A>(@Nullable ClaimRecord record, A answer) {

  static <A> Transition<A> unchanged(A answer) {
    return new Transition<>(null, answer);
  }

  static <A> Transition<A> to(ClaimRecord record, A answer) {
    return new Transition<>(record, answer);
  }

  /** Returns whether there is something to store. */
  public boolean changes() {
    return record != null;
  }
}
