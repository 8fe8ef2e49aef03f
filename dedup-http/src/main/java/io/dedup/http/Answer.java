// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Held;

/** What a request gets. */
sealed interface Answer {

  /**
   * Its handler runs under a claim.
   *
   * @param held the claim
   */
  record Run(Held held) implements Answer {}

  /** Its handler runs unguarded, and the client is told so. */
  record Bypass() implements Answer {}

  /**
   * What was answered before.
   *
   * @param response what was kept of it
   */
  record Repeat(StoredResponse response) implements Answer {}

  /**
   * What an {@link OnReplay} made of what was done before.
   *
   * @param response it
   */
  record Rebuild(OnReplay.Rebuilt response) implements Answer {}

  /**
   * A refusal.
   *
   * @param problem what is wrong
   * @param outcome what it counts as
   */
  record Refuse(Problem problem, RequestOutcome outcome) implements Answer {}
}
