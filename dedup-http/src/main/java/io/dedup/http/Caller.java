// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.jspecify.annotations.Nullable;

/**
 * Whose request it is, as far as that decides who shares keys.
 *
 * @param kind names the kind of id, so that a user and a client with the same name differ
 * @param id of the user, the client, or nobody; null for an anonymous caller
 * @param tenant of the caller; empty where there are none
 */
public record Caller(String kind, @Nullable String id, String tenant) {

  /** Returns whether nobody knows who it is. */
  public boolean isAnonymous() {
    return id == null;
  }
}
