// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;

/** Puts meters around a store, where the application has a registry. */
@FunctionalInterface
interface StoreMeasure {

  /** Returns a store that does what {@code store} does. */
  ClaimStore measured(String name, ClaimStore store);
}
