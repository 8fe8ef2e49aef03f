// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/** What becomes of a result that is too large to be kept. The effect is done either way. */
public enum OnLargeResult {
  /**
   * Nothing is kept: a duplicate learns that the effect is done, and gets what its codec makes of
   * no result, as a rule null. For callers who need no answer.
   */
  KEEP_NOTHING,
  /**
   * It is kept that there was an answer: whoever asks for it again is refused with {@link
   * ResultUnavailable} instead of getting another answer than the first.
   */
  REFUSE
}
