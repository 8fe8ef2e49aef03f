// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.util.Objects;

/**
 * Names one effect: two deliveries with equal keys are the same message, and no two others are.
 *
 * <p>Keys are case-sensitive and compared byte by byte; nothing is trimmed, folded or normalised
 * ("é" as one character and as two are two keys).
 *
 * @param scope whose key it is (for Kafka: original group and original topic; for HTTP: principal,
 *     method and route); not empty
 * @param id the message's id within the scope; not empty, any length
 */
public record IdempotencyKey(String scope, String id) {

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if a part is empty, or holds an unpaired surrogate (which has
   *     no byte form, so two such keys could not be told apart)
   */
  public IdempotencyKey {
    check("scope", scope);
    check("id", id);
  }

  /** Returns the key of {@code id} within {@code scope}. */
  public static IdempotencyKey of(String scope, String id) {
    return new IdempotencyKey(scope, id);
  }

  private static void check(String name, String value) {
    Objects.requireNonNull(value, name);
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + ": was empty, must have at least one character");
    }
    int bad = unpairedSurrogate(value);
    if (bad >= 0) {
      throw new IllegalArgumentException(
          name + ": has an unpaired surrogate at index " + bad + ", must be well-formed Unicode");
    }
  }

  /** Returns the index of the first surrogate without its partner, or -1. */
  static int unpairedSurrogate(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
