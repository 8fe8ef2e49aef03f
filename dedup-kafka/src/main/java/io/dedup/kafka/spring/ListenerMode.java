// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

/** How a topic's effects are made to happen once. */
public enum ListenerMode {
  /** Claim with a lease, handler, complete. */
  LEASE,
  /** Claim, handler and completion in one database transaction. */
  TRANSACTIONAL,
  /** As {@link #TRANSACTIONAL}, with a faster store in front that knows what is done. */
  TIERED
}
