// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import io.dedup.examples.payments.RiskCheck;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Is down the first time it is asked about some. Thread-safe. */
final class UnreliableRiskCheck implements RiskCheck {

  private final Set<String> unlucky;
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  UnreliableRiskCheck(Set<String> unlucky) {
    this.unlucky = Set.copyOf(unlucky);
  }

  @Override
  public void pass(String id) {
    if (unlucky.contains(id) && failed.add(id)) {
      throw new IllegalStateException("risk check is down");
    }
  }

  int failures() {
    return failed.size();
  }
}
