// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.List;
import java.util.Map;

/** Looks at a store for what would break its promise. */
interface StoreInspection {

  /** Returns the store, redis or jdbc. */
  StoreKind kind();

  /**
   * Looks.
   *
   * @throws RuntimeException if the store cannot be reached, or cannot work as it is
   */
  Findings inspect();

  /**
   * What was found in a store that works.
   *
   * @param details what it tells of itself
   * @param risks what may make it forget what it acknowledged; a sentence each
   */
  record Findings(Map<String, Object> details, List<String> risks) {}
}
