// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

/** The arrows of the flow at which a process may die. */
enum Arrow {
  /** Record read, claim not sent. */
  BEFORE_CLAIM,
  /** Claim stored, its answer not seen. */
  CLAIM_STORED,
  /** Handler started, effect not done. */
  BEFORE_EFFECT,
  /** Effect done, completion not sent. */
  EFFECT_DONE,
  /** Completion stored, its answer not seen; in a transaction, before its commit. */
  COMPLETION_STORED,
  /** Transaction committed, its end not seen. */
  TRANSACTION_COMMITTED
}
