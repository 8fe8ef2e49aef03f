// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.Locale;

/** Where claims are kept, and what they promise. */
enum Mode {
  /** A claim in Redis with a lease, the effect in PostgreSQL. */
  LEASE_REDIS,
  /** A claim in PostgreSQL with a lease. */
  LEASE_JDBC,
  /** Claim and effect in one transaction of PostgreSQL. */
  TRANSACTIONAL,
  /** The same, with Redis in front that knows what is done. */
  TIERED;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Mode of(String label) {
    for (Mode mode : values()) {
      if (mode.label().equals(label)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "mode: was " + label + ", must be lease-redis, lease-jdbc, transactional or tiered");
  }

  boolean needsRedis() {
    return this == LEASE_REDIS || this == TIERED;
  }
}
