// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.LargeResults;
import io.dedup.Policy;
import io.dedup.ResultStore;
import org.jspecify.annotations.Nullable;

/** Where answers go that are too large for the record of their key. Thread-safe. */
public final class KeptResults {

  private final DedupProperties.Results properties;
  private final @Nullable ResultStore store;

  /**
   * Makes the choice.
   *
   * @param store where larger answers are kept, null for nowhere
   * @throws ConfigurationRefused if there is none, and the properties want one
   */
  KeptResults(DedupProperties.Results properties, @Nullable ResultStore store) {
    this.properties = properties;
    this.store = store;
    if (store == null && properties.store() == DedupProperties.Results.Place.JDBC) {
      throw new ConfigurationRefused(
          "dedup.results.store: was jdbc, must be one that the application can connect to: it has no"
              + " DataSource.",
          "Add spring-boot-starter-jdbc and a driver, and set spring.datasource.*; or set"
              + " dedup.results.store=none.",
          null);
    }
    if (properties.limitBytes() < 0) {
      throw ConfigurationRefused.property(
          "dedup.results.limit-bytes: was " + properties.limitBytes() + ", must not be negative",
          "",
          null);
    }
  }

  /** Returns the settings for calls with {@code policy}. */
  public LargeResults of(Policy policy) {
    LargeResults.Builder settings =
        LargeResults.builder()
            .limitBytes(properties.limitBytes())
            .otherwise(properties.otherwise());
    return (store == null ? settings : settings.store(store, policy)).build();
  }
}
