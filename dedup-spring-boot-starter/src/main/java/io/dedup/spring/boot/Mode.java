// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

/** How an effect and its completion go together. */
public enum Mode {
  /** Claim with a lease, handler, complete. */
  LEASE,
  /** Claim, handler and completion are one database transaction. */
  TRANSACTIONAL,
  /** The same, with Redis in front, which answers for what is committed. */
  TIERED;

  /** Returns whether handlers run in a database transaction of ours. */
  boolean isTransactional() {
    return this != LEASE;
  }
}
