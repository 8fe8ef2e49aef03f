// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * Which keys of clients are accepted.
 *
 * @param minLength the shortest, in characters; at least 1
 * @param maxLength the longest, in characters; at most {@value #LENGTH_MAX}
 * @param format which texts
 */
public record ClientKeyLimits(int minLength, int maxLength, ClientKeyFormat format) {
  /** The longest key that can be allowed, in characters. */
  public static final int LENGTH_MAX = 255;

  /** Checks the lengths. */
  public ClientKeyLimits {
    if (minLength < 1 || minLength > maxLength || maxLength > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "key: was "
              + minLength
              + " to "
              + maxLength
              + " characters, must be within 1 to "
              + LENGTH_MAX);
    }
  }

  static ClientKeyLimits defaults() {
    return new ClientKeyLimits(16, LENGTH_MAX, ClientKeyFormat.ANY);
  }
}
