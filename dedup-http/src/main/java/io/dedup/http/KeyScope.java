// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Who shares a client's keys with whom. */
public enum KeyScope {
  /** Each authenticated user has keys of its own, known by the principal's name. */
  PRINCIPAL,
  /** The users of one OAuth client share keys: claim {@code azp}, else {@code client_id}. */
  CLIENT,
  /** The users of one tenant share keys. */
  TENANT,
  /** Everybody shares keys, and so can read what others were answered. */
  GLOBAL
}
