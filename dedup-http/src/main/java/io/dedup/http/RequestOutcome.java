// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** How a request was treated, for meters. */
public enum RequestOutcome {
  /** Its handler ran, and its answer is kept. */
  EXECUTED,
  /** It was answered as before. */
  REPLAYED,
  /** Another with its key was being worked on. */
  CONFLICT,
  /** Its key was used with another request before. */
  MISMATCH,
  /** It had no key and needed one. */
  MISSING,
  /** Its key, token, caller or size was refused. */
  INVALID,
  /** Its handler ran and the key was given back. */
  RELEASED,
  /** Its handler ran, and another had its key by then. */
  STALE,
  /** It is not known whether it took effect, or its completion is not known to be stored. */
  INDETERMINATE,
  /** It was done before, and its answer not kept. */
  NOT_REPLAYABLE,
  /** Its handler ran unguarded. */
  BYPASSED,
  /** The store was in trouble, and it was refused. */
  STORE_ERROR
}
