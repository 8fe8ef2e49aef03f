// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;

/** A store that the application could use. Getting it connects. Thread-safe. */
interface StoreOption {

  /** Returns the store, redis or jdbc. */
  StoreKind kind();

  /** Returns the store, the same each time. */
  ClaimStore store();

  /**
   * Returns a store of the same kind in front of a database.
   *
   * @param identity of that database; what is stored for another is not found
   */
  ClaimStore inFrontOf(String identity);

  /**
   * Returns what tells this store from others of its kind, and from itself before a standby was
   * promoted or a backup restored. Asks the store, each time.
   */
  String identity();
}
