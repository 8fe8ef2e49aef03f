// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;

class InMemoryClaimStoreTest extends ClaimStoreContract {

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return InMemoryClaimStore.create(time, InMemoryClaimStore.DEFAULT_MAX_RECORDS);
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return store;
  }
}
