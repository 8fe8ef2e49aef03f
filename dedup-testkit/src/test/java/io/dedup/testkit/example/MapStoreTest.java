// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.example;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreContract;

class MapStoreTest extends ClaimStoreContract {

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return new MapStore(time);
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return store; // A map is in one process.
  }
}
