// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.List;

/** Pairs one by one, by two commands each. */
record SetNxPairs(SetNxGate gate) implements Pairs {

  @Override
  public void claimAndComplete(List<String> ids) {
    for (String id : ids) {
      if (!gate.opens(id)) {
        throw new IllegalStateException("not acquired");
      }
      gate.done(id);
    }
  }

  @Override
  public void close() {
    gate.close();
  }
}
