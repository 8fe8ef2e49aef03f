// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.time.Duration;
import java.util.Map;

/**
 * How tokens are issued.
 *
 * @param kind where they are remembered
 * @param path of the endpoint
 * @param ttl how long a token can be used first; whole seconds
 * @param activeKid names the secret that signs; empty for {@link Kind#STORED}
 * @param secrets by name: the one that signs, and those that signed until now; at least 32 bytes
 *     each
 */
public record TokenOptions(
    Kind kind, String path, Duration ttl, String activeKid, Map<String, byte[]> secrets) {

  /** Where tokens are remembered. */
  public enum Kind {
    /** In the store, until they are used. */
    STORED,
    /** In the token itself, which is signed; the store knows it from its first use on. */
    SIGNED
  }

  /** The path of the endpoint unless said otherwise. */
  public static final String DEFAULT_PATH = "/idempotency/tokens";

  /** Checks each part. */
  public TokenOptions {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("token.path: was '" + path + "', must begin with /");
    }
    if (ttl.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("token.ttl: was " + ttl + ", must be at least PT1S");
    }
    if (kind == Kind.STORED && !secrets.isEmpty()) {
      throw new IllegalArgumentException(
          "token.secrets: was " + secrets.keySet() + ", must be empty for STORED");
    }
    secrets = Map.copyOf(secrets);
  }

  /** Returns options of tokens that the store remembers for 15 minutes. */
  public static TokenOptions stored() {
    return new TokenOptions(Kind.STORED, DEFAULT_PATH, Duration.ofMinutes(15), "", Map.of());
  }

  /** Returns options of tokens that are signed, good for 15 minutes. */
  public static TokenOptions signed(String activeKid, Map<String, byte[]> secrets) {
    return new TokenOptions(Kind.SIGNED, DEFAULT_PATH, Duration.ofMinutes(15), activeKid, secrets);
  }

  /** Returns these options with another time. */
  public TokenOptions withTtl(Duration value) {
    return new TokenOptions(kind, path, value, activeKid, secrets);
  }

  /** Returns these options with another path. */
  public TokenOptions withPath(String value) {
    return new TokenOptions(kind, value, ttl, activeKid, secrets);
  }

  @Override
  public String toString() {
    return "TokenOptions[" + kind + ", " + path + ", " + ttl + ", " + secrets.keySet() + "]";
  }
}
