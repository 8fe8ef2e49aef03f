// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Holder;

/** Another has the key now; what this handler did will not count. */
public final class LeaseLost extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Holder current;

  /** Makes the exception. */
  public LeaseLost(Holder current) {
    super("lease lost to " + current);
    this.current = current;
  }

  /** Returns who the key belongs to. */
  public Holder current() {
    return current;
  }
}
