// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import java.util.Collection;
import java.util.List;

/** Does the effects of several deliveries in one transaction. */
@FunctionalInterface
public interface BatchHandler {

  /**
   * Does them. What it throws rolls all of them back.
   *
   * @param entries one for each delivery, in their order
   * @return the places, from 0, of those whose effects are done; of the others nothing may have
   *     been written, and their keys are given back
   */
  Collection<Integer> handle(List<BatchEntry> entries) throws Exception;
}
