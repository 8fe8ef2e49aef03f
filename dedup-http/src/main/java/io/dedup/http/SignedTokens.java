// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.time.ProcessClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that carry their own proof: {@code v1.kid.payload.signature}, where the payload is 16
 * random bytes, the second of expiry, and a digest of caller and operation; the signature is
 * HMAC-SHA-256 of all before it. Nothing is stored before a token is used. Thread-safe.
 */
final class SignedTokens implements Tokens {

  private static final String VERSION = "v1";
  private static final int SECRET_BYTES_MIN = 32;
  private static final int ID_BYTES = 16;
  private static final int BINDING_BYTES = 16;
  private static final int PAYLOAD_BYTES = ID_BYTES + Long.BYTES + BINDING_BYTES;

  private final String activeKid;
  private final Map<String, SecretKeySpec> secrets = new TreeMap<>();
  private final String namespace;
  private final Duration ttl;
  private final ProcessClock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * Makes them.
   *
   * @param activeKid names the secret that signs
   * @param secrets all that are still believed, by name
   */
  SignedTokens(
      String activeKid,
      Map<String, byte[]> secrets,
      String namespace,
      Duration ttl,
      ProcessClock clock) {
    secrets.forEach(
        (kid, secret) -> {
          if (!kid.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException(
                "token.kid: was '" + kid + "', must be 1 to 32 letters, digits, _ or -");
          }
          if (secret.length < SECRET_BYTES_MIN) {
            throw new IllegalArgumentException(
                "token.secret: was "
                    + secret.length
                    + " bytes, must be at least "
                    + SECRET_BYTES_MIN);
          }
          this.secrets.put(kid, new SecretKeySpec(secret, "HmacSHA256"));
        });
    if (!secrets.containsKey(activeKid)) {
      throw new IllegalArgumentException(
          "token.active-kid: was '" + activeKid + "', must be one of " + this.secrets.keySet());
    }
    this.activeKid = activeKid;
    this.namespace = namespace;
    this.ttl = ttl;
    this.clock = clock;
  }

  @Override
  public Token issue(Caller caller, String operation) {
    Instant expiresAt = clock.now().plus(ttl).truncatedTo(ChronoUnit.SECONDS);
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    byte[] payload =
        ByteBuffer.allocate(PAYLOAD_BYTES)
            .put(id)
            .putLong(expiresAt.getEpochSecond())
            .put(binding(caller, operation))
            .array();
    String head = VERSION + "." + activeKid + "." + base64(payload);
    return new Token(head + "." + base64(signature(activeKid, head)), expiresAt);
  }

  @Override
  public Standing check(String token, Caller caller, String operation) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 4 || !parts[0].equals(VERSION) || !secrets.containsKey(parts[1])) {
      return Standing.INVALID;
    }
    String head = token.substring(0, token.lastIndexOf('.'));
    // Compared as text: base64 has several notations of some values, and each would be another key.
    byte[] expected = base64(signature(parts[1], head)).getBytes(StandardCharsets.US_ASCII);
    if (!MessageDigest.isEqual(expected, parts[3].getBytes(StandardCharsets.UTF_8))) {
      return Standing.INVALID;
    }
    ByteBuffer payload = ByteBuffer.wrap(Base64.getUrlDecoder().decode(parts[2]));
    long expiresAt = payload.getLong(ID_BYTES);
    byte[] bound = Arrays.copyOfRange(payload.array(), ID_BYTES + Long.BYTES, PAYLOAD_BYTES);
    if (!MessageDigest.isEqual(binding(caller, operation), bound)) {
      return Standing.INVALID;
    }
    return clock.now().getEpochSecond() < expiresAt ? Standing.FRESH : Standing.EXPIRED;
  }

  private byte[] binding(Caller caller, String operation) {
    String id = caller.id() == null ? "anonymous" : "known:" + caller.id();
    List<String> parts = List.of(namespace, caller.tenant(), caller.kind(), id, operation);
    return Arrays.copyOf(RequestKey.digest(parts), BINDING_BYTES);
  }

  private byte[] signature(String kid, String head) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secrets.get(kid));
      return mac.doFinal(head.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
