// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.nio.ByteBuffer;

/**
 * A digest of what a key stands for, which tells a repeated message from another one that reuses
 * its key.
 *
 * <p>Two fingerprints are compared only if the same version of the same algorithm made them; a key
 * shared by HTTP and Kafka therefore never conflicts with itself.
 *
 * @param algorithm which algorithm, and which version of it, made the value: 0 for {@link #none()},
 *     else 1 to 255
 * @param value the first eight bytes of the digest
 */
public record Fingerprint(int algorithm, long value) {

  /** The algorithm of {@link #raw}: SHA-256 of the bytes as they are. */
  public static final int RAW = 1;

  /** SHA-256 of canonical JSON: member order and spacing do not matter, number lexemes do. */
  public static final int JSON = 2;

  /** SHA-256 of chosen fields, each read as a key would be. */
  public static final int FIELDS = 3;

  /** The leader epoch of a Kafka record whose key is its offset. */
  public static final int LEADER_EPOCH = 4;

  /** SHA-256 of an HTTP request: method, route, content type and body. */
  public static final int HTTP = 5;

  private static final Fingerprint NONE = new Fingerprint(0, 0);

  /**
   * Checks the algorithm.
   *
   * @throws IllegalArgumentException if it is not in 0 to 255, or is 0 with a value
   */
  public Fingerprint {
    if (algorithm < 0 || algorithm > 255) {
      throw new IllegalArgumentException("algorithm: was " + algorithm + ", must be 0 to 255");
    }
    if (algorithm == 0 && value != 0) {
      throw new IllegalArgumentException(
          "value: was " + value + ", must be 0 without an algorithm");
    }
  }

  /** Returns the fingerprint of a message of which none was taken; it differs from no other. */
  public static Fingerprint none() {
    return NONE;
  }

  /** Returns the fingerprint of {@code payload} as it is, byte by byte. */
  public static Fingerprint raw(byte[] payload) {
    return sha256(RAW, payload);
  }

  /**
   * Returns the fingerprint that {@code algorithm} gives to {@code canonical}, its canonical bytes.
   */
  public static Fingerprint sha256(int algorithm, byte[] canonical) {
    return new Fingerprint(algorithm, ByteBuffer.wrap(Sha256.of(canonical)).getLong());
  }

  /** Returns whether both were made the same way, so that a difference means another message. */
  public boolean comparableWith(Fingerprint other) {
    return algorithm == other.algorithm && algorithm != 0;
  }

  /** Returns whether {@code other} was made the same way and shows another message. */
  public boolean conflictsWith(Fingerprint other) {
    return comparableWith(other) && value != other.value;
  }
}
