// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/**
 * What a record tells about its handler's start, which decides what a successor may do once the
 * lease is over.
 */
public enum StartMark {
  /** The claim never said; it may have started. */
  NOT_RECORDED(0),
  /** The claim says so before its handler starts, and has not. */
  NOT_STARTED(1),
  /** The handler started. */
  STARTED(2),
  /** The handler started in a transaction that its completion is part of: all of it or nothing. */
  IN_TRANSACTION(3);

  private final int code;

  StartMark(int code) {
    this.code = code;
  }

  /** Returns the number that stores keep for this mark. */
  public int code() {
    return code;
  }

  /** Returns whether the handler is known to have started. */
  public boolean isStarted() {
    return this == STARTED || this == IN_TRANSACTION;
  }

  /**
   * Returns the mark with this number.
   *
   * @throws StoreCorrupt if there is none
   */
  public static StartMark of(int code) {
    for (StartMark mark : values()) {
      if (mark.code == code) {
        return mark;
      }
    }
    throw new StoreCorrupt("start mark: was " + code + ", must be 0 to 3");
  }
}
