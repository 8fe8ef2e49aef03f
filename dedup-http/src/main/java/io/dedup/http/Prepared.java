// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Delivery;

/** What is known of a guarded request before its key is claimed. */
sealed interface Prepared {

  /**
   * Its key has to be claimed.
   *
   * @param delivery names the key
   * @param notIssued what the key is if it was not handed out
   */
  record Ask(Delivery delivery, ProblemCode notIssued) implements Prepared {}

  /**
   * It is answered without a look into the store.
   *
   * @param answer how
   */
  record Known(Answer answer) implements Prepared {}

  /** It runs as if it were not guarded. */
  record Unguarded() implements Prepared {}
}
