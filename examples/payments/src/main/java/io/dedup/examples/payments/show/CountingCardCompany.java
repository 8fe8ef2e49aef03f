// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import io.dedup.examples.payments.CardCompany;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Declines what is too much, and knows a charge by its id. Thread-safe. */
final class CountingCardCompany implements CardCompany {

  /** The highest amount that it approves, in cents. */
  static final long LIMIT = 1_000;

  private final Map<UUID, Boolean> charges = new ConcurrentHashMap<>();

  @Override
  public boolean charge(UUID id, String payer, long amount) {
    return charges.computeIfAbsent(id, unknown -> amount <= LIMIT);
  }

  int charges() {
    return charges.size();
  }
}
