// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.DedupListener;
import io.dedup.Deduplicator;
import io.dedup.Policy;
import io.dedup.claim.ClaimStore;
import java.util.List;

/**
 * What all deduplicators of an application have in common.
 *
 * @param properties owner and time-out
 * @param policy how keys are claimed and kept
 * @param listeners who is told
 */
record DeduplicatorParts(DedupProperties properties, Policy policy, List<DedupListener> listeners) {

  /**
   * Returns a builder with all of it.
   *
   * @throws ConfigurationRefused if a property cannot be
   */
  Deduplicator.Builder builder(ClaimStore store) {
    Deduplicator.Builder builder = Deduplicator.builder(store).policy(policy);
    listeners.forEach(builder::listener);
    String owner = properties.owner();
    try {
      builder.commandTimeout(properties.commandTimeout());
      return owner == null ? builder : builder.owner(owner);
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property("dedup." + e.getMessage(), "", e);
    }
  }
}
