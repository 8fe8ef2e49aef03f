// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;

/** What became of one key of a batch, before its effects are done. */
public sealed interface BatchEntry {

  /**
   * The key is ours in this transaction.
   *
   * @param context what the effect may know of its claim
   */
  record Acquired(DedupContext context) implements BatchEntry {}

  /**
   * An earlier delivery of the batch has the key.
   *
   * @param first the place of that one, from 0
   */
  record Repeat(int first) implements BatchEntry {}

  /**
   * There is nothing to run now.
   *
   * @param outcome why; never {@link Outcome.Executed}
   */
  record Answered(Outcome<StoredResult> outcome) implements BatchEntry {}
}
