// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimStore;
import io.dedup.time.ProcessClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;

/** Tokens that the store remembers until they are used. Thread-safe. */
final class StoredTokens implements Tokens {

  private static final int BYTES = 24;

  private final ClaimStore store;
  private final HttpOptions options;
  private final Duration ttl;
  private final ProcessClock clock;
  private final SecureRandom random = new SecureRandom();

  StoredTokens(ClaimStore store, HttpOptions options, Duration ttl, ProcessClock clock) {
    this.store = store;
    this.options = options;
    this.ttl = ttl;
    this.clock = clock;
  }

  @Override
  public Token issue(Caller caller, String operation) {
    byte[] id = new byte[BYTES];
    random.nextBytes(id);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    String scope = options.keyPerOperation() ? operation : "";
    store.issue(RequestKey.of(options.namespace(), caller, scope, text), ttl);
    return new Token(text, clock.now().plus(ttl));
  }

  @Override
  public Standing check(String token, Caller caller, String operation) {
    return Standing.ISSUED;
  }
}
