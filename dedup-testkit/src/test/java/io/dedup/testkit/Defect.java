// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.BrokenRules;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import java.util.function.Function;

/**
 * A classic fault of a store.
 *
 * @param says what the store does wrong
 * @param section the section of the contract that must notice
 * @param stores makes a store that has it
 */
record Defect(String says, String section, Function<StoreTime, ClaimStore> stores) {

  static Defect of(String says, String section, BrokenRules rules) {
    return new Defect(says, section, rules::store);
  }

  static Defect of(String says, String section, Function<StoreTime, ClaimStore> stores) {
    return new Defect(says, section, stores);
  }

  @Override
  public String toString() {
    return says;
  }
}
