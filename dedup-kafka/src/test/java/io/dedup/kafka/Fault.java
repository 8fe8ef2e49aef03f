// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

/** What may go wrong in a simulated world. */
enum Fault {
  /** A process ends, wherever it is. */
  CRASH,
  /** A process stands still for longer than its leases and its session last. */
  FREEZE,
  /** A handler takes longer than a lease; its process goes on renewing. */
  SLOW_HANDLER,
  /** A handler fails once. */
  FAILING_HANDLER,
  /** A command does not reach the store. */
  LOST_COMMAND,
  /** A command reaches the store, and its answer does not come back. */
  LOST_ANSWER,
  /** A commit of offsets is not answered in time. */
  LOST_COMMIT,
  /** A partition moves, and its owner is asked first. */
  REBALANCE,
  /** A partition moves, and its owner learns of it afterwards. */
  EVICTION,
  /** A member leaves. */
  LEAVE,
  /** Others have their turn in the middle of a member's. */
  INTERLEAVING
}
