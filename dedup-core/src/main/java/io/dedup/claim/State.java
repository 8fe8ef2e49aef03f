// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/**
 * The state of a key's record. A key without a record, or with an expired one, has none: it is
 * <em>absent</em>.
 */
public enum State {
  /** A token was handed out for the key and not used yet. */
  ISSUED(1),
  /** A claim holds the key, or held it and its lease is over. */
  PROCESSING(2),
  /** The effect is done. */
  SUCCEEDED(3),
  /** The handler failed, and its failure is stored. */
  FAILED(4),
  /** The claim was given back, or an operator reopened the key: whoever comes next may claim it. */
  RELEASED(5);

  private final int code;

  State(int code) {
    this.code = code;
  }

  /** Returns the number that stores keep for this state. */
  public int code() {
    return code;
  }

  /**
   * Returns the state with this number.
   *
   * @throws StoreCorrupt if there is none
   */
  public static State of(int code) {
    for (State state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new StoreCorrupt("state: was " + code + ", must be 1 to 5");
  }
}
