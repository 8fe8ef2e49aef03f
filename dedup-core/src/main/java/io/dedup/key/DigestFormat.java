// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sixteen bytes: four of a digest of the scope, twelve of a digest of scope and id. Thread-safe.
 */
final class DigestFormat implements KeyFormat {

  private static final int SCOPE_BYTES = 4;
  private static final int KEY_BYTES = 16;
  private static final int SECRET_BYTES_MIN = 16;
  private static final DigestFormat PLAIN = new DigestFormat(null);

  private final @Nullable SecretKeySpec secret;

  /** The scope met last: a poll has few, and each key would be digested twice for it. */
  private volatile @Nullable ScopeDigest last;

  private DigestFormat(@Nullable SecretKeySpec secret) {
    this.secret = secret;
  }

  static DigestFormat plain() {
    return PLAIN;
  }

  static DigestFormat keyed(byte[] secret) {
    Objects.requireNonNull(secret, "secret");
    if (secret.length < SECRET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "secret: was " + secret.length + " bytes, must be at least " + SECRET_BYTES_MIN);
    }
    return new DigestFormat(new SecretKeySpec(secret, "HmacSHA256"));
  }

  @Override
  public byte[] encode(IdempotencyKey key) {
    byte[] scope = key.scope().getBytes(StandardCharsets.UTF_8);
    byte[] id = key.id().getBytes(StandardCharsets.UTF_8);
    // The length of the scope comes first, so that ("ab", "c") and ("a", "bc") differ.
    ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + scope.length + id.length);
    whole.putInt(scope.length).put(scope).put(id);
    byte[] form = Arrays.copyOf(scopeDigest(key.scope()), KEY_BYTES);
    System.arraycopy(hash(whole.array()), 0, form, SCOPE_BYTES, KEY_BYTES - SCOPE_BYTES);
    return form;
  }

  @Override
  public byte[] scopePrefix(String scope) {
    return Arrays.copyOf(scopeDigest(scope), SCOPE_BYTES);
  }

  private byte[] scopeDigest(String scope) {
    ScopeDigest known = last;
    if (known == null || !known.scope().equals(scope)) {
      known = new ScopeDigest(scope, hash(scope.getBytes(StandardCharsets.UTF_8)));
      last = known;
    }
    return known.digest();
  }

  private byte[] hash(byte[] bytes) {
    if (secret == null) {
      return Sha256.of(bytes);
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secret);
      return mac.doFinal(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** The digest of a scope; nobody changes it. */
  private record ScopeDigest(String scope, byte[] digest) {}
}
