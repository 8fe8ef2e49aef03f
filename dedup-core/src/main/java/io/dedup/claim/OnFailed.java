// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/** What the next delivery of a key gets whose last handler failed. */
public enum OnFailed {
  /** It runs, as soon as the failure's back-off is over. */
  RERUN(0),
  /** It gets the stored failure. */
  REPORT(1);

  private final int code;

  OnFailed(int code) {
    this.code = code;
  }

  /** Returns the number by which scripts know this policy. */
  public int code() {
    return code;
  }
}
