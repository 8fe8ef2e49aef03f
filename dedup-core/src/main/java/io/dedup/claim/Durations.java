// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Duration;

/** The rules that durations of claims obey, in one place. */
final class Durations {

  /**
   * No expiry, as far as a database can count: some 292 years would overflow dates, a hundred do
   * not.
   */
  static final Duration MAX = Duration.ofDays(36_500);

  private static final Duration ONE_MILLI = Duration.ofMillis(1);

  private Durations() {}

  static void checkLease(Duration lease, Duration ttl) {
    checkPositive("lease", lease);
    checkTtl(ttl);
    if (ttl.compareTo(lease) < 0) {
      throw new IllegalArgumentException(
          "ttl: was " + ttl + ", must not be shorter than the lease, " + lease);
    }
  }

  static void checkTtl(Duration ttl) {
    checkPositive("ttl", ttl);
  }

  static void checkNotNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + ": was " + value + ", must not be negative");
    }
    checkMax(name, value);
  }

  private static void checkPositive(String name, Duration value) {
    if (value.compareTo(ONE_MILLI) < 0) {
      throw new IllegalArgumentException(name + ": was " + value + ", must be at least PT0.001S");
    }
    checkMax(name, value);
  }

  private static void checkMax(String name, Duration value) {
    if (value.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(name + ": was " + value + ", must be at most " + MAX);
    }
  }
}
