// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

/** How the effect of a method and its completion go together. */
public enum CallMode {
  /** Claim with a lease, method, complete. */
  LEASE,
  /**
   * Claim, method and completion are one database transaction: the caller's, if there is one, else
   * a new one.
   */
  TRANSACTIONAL,
  /** The same, with Redis in front, which answers for what is committed. */
  TIERED
}
