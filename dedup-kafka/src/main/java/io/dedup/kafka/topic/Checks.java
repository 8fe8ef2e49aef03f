// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Objects;

/** The rules that settings obey, and the words in which they are refused. */
final class Checks {

  /** The longest time that a store keeps a key. */
  static final Duration TTL_MAX = Duration.ofDays(36_500);

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private Checks() {}

  static String notEmpty(String property, String value) {
    if (Objects.requireNonNull(value, property).isEmpty()) {
      throw new IllegalArgumentException(
          property + ": was empty, must have at least one character");
    }
    return value;
  }

  static Duration ttl(String property, Duration value) {
    return between(property, value, SHORTEST);
  }

  static Duration notNegative(String property, Duration value) {
    return between(property, value, Duration.ZERO);
  }

  private static Duration between(String property, Duration value, Duration min) {
    Objects.requireNonNull(value, property);
    if (value.compareTo(min) < 0 || value.compareTo(TTL_MAX) > 0) {
      throw new IllegalArgumentException(
          property + ": was " + value + ", must be " + min + " to " + TTL_MAX);
    }
    return value;
  }
}
