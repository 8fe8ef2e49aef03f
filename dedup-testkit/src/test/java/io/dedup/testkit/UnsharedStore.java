// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.StoreTime;

/** A store whose every object has records of its own. */
final class UnsharedStore extends AlteredStore {

  UnsharedStore(StoreTime time) {
    super(time);
  }
}
