// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.testkit.ForwardingClaimStore;

/** A store that cannot be reached while a test says so. */
final class TroubledStore extends ForwardingClaimStore {

  volatile boolean down;

  TroubledStore(ClaimStore store) {
    super(store);
  }

  @Override
  protected ClaimStore store() {
    if (down) {
      throw new StoreUnavailable("switched off by a test", null);
    }
    return super.store();
  }
}
