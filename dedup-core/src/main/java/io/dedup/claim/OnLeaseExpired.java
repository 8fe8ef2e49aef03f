// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/**
 * What happens to a key whose claim was started and whose lease is over: its effect may be done or
 * not.
 */
public enum OnLeaseExpired {
  /** The next delivery runs again. */
  RERUN(0),
  /** Nobody runs until an operator has resolved the key, or it expires. */
  HOLD(1),
  /** The next delivery gets the key, and asks whether the effect is done before it runs. */
  PROBE(2);

  private final int code;

  OnLeaseExpired(int code) {
    this.code = code;
  }

  /** Returns the number by which scripts know this policy. */
  public int code() {
    return code;
  }
}
