// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.claim.TieredStore;

/** A database with a store in front of it answers as a store does. */
class TieredStoreTest extends ClaimStoreContract {

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return TieredStore.of(memory(time), memory(time));
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return store;
  }

  private static ClaimStore memory(StoreTime time) {
    return InMemoryClaimStore.create(time, InMemoryClaimStore.DEFAULT_MAX_RECORDS);
  }
}
