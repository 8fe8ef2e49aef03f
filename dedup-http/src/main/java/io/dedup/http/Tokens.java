// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimStore;
import io.dedup.time.ProcessClock;
import java.time.Instant;

/** Issues tokens, and knows its own. Implementations are thread-safe. */
interface Tokens {

  /** What a token is. */
  enum Standing {
    /** It is good, and need not be known to the store. */
    FRESH,
    /** The store has to know it. */
    ISSUED,
    /** It was good once. */
    EXPIRED,
    /** It is not one of ours, or another's, or for something else. */
    INVALID
  }

  /**
   * A token.
   *
   * @param text to be sent as the key
   * @param expiresAt until when it can be used first
   */
  record Token(String text, Instant expiresAt) {}

  /** Returns those that the options ask for. */
  static Tokens of(TokenOptions wanted, ClaimStore store, HttpOptions options, ProcessClock clock) {
    return wanted.kind() == TokenOptions.Kind.STORED
        ? new StoredTokens(store, options, wanted.ttl(), clock)
        : new SignedTokens(
            wanted.activeKid(), wanted.secrets(), options.namespace(), wanted.ttl(), clock);
  }

  /** Issues a token for an operation of a caller. */
  Token issue(Caller caller, String operation);

  /** Returns what a token is. */
  Standing check(String token, Caller caller, String operation);
}
