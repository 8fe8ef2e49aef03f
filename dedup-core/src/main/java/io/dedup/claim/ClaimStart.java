// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/** When the handler of a new claim starts, as far as its record shall tell. */
public enum ClaimStart {
  /** At once: the claim itself counts as the start, and as an attempt. */
  NOW(StartMark.STARTED),
  /** Later, and {@link Settlement.Start} will be stored before it does. */
  RECORDED_LATER(StartMark.NOT_STARTED),
  /** Later, and nothing will be stored: a successor has to assume that it did. */
  UNRECORDED(StartMark.NOT_RECORDED),
  /**
   * At once, in a transaction that its completion is part of, in the store that decides. It counts
   * as an attempt; whoever is lost has done nothing, so no successor is held back for the doubt.
   */
  IN_TRANSACTION(StartMark.IN_TRANSACTION);

  private final StartMark mark;

  ClaimStart(StartMark mark) {
    this.mark = mark;
  }

  /** Returns the mark that a record newly claimed this way has. */
  public StartMark mark() {
    return mark;
  }
}
