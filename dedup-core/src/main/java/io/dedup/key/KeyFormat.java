// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

/**
 * The form in which a store keeps a key: the same bytes in every store, so that records can be
 * copied between them.
 *
 * <p>The first bytes depend on the scope alone, so that all keys of a scope can be found by a
 * prefix. Thread-safe.
 */
public interface KeyFormat {

  /**
   * Returns the stored form of {@code key}: 1 to {@value #MAX_BYTES} bytes, different for different
   * keys.
   */
  byte[] encode(IdempotencyKey key);

  /**
   * Returns the bytes with which the stored form of each key of {@code scope} begins. Where forms
   * are digests, those of another scope may begin so, too.
   */
  byte[] scopePrefix(String scope);

  /** The longest stored form, in bytes: within the limits of every index we use. */
  int MAX_BYTES = 512;

  /**
   * Returns the default: 16 bytes of SHA-256, of which 4 come from the scope and 12 from scope and
   * id.
   *
   * <p>No personal data, no limit of length, no collation. Among a billion keys of one scope the
   * probability that a new one meets another's digest is 2<sup>-66</sup>.
   */
  static KeyFormat digest() {
    return DigestFormat.plain();
  }

  /**
   * Returns the digest format keyed with a secret (HMAC-SHA-256), for ids that could be guessed and
   * looked up.
   *
   * @param secret at least 16 bytes; the same in every process, and for as long as keys are kept
   * @throws IllegalArgumentException if the secret is shorter
   */
  static KeyFormat hmac(byte[] secret) {
    return DigestFormat.keyed(secret);
  }

  /**
   * Returns the format that keeps the text: scope and id in UTF-8, escaped reversibly. A form above
   * {@value #MAX_BYTES} bytes keeps its beginning, followed by the SHA-256 of the whole.
   */
  static KeyFormat readable() {
    return ReadableFormat.INSTANCE;
  }
}
