// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about a store that does not do at start. */
final class StoreTroubleAnalyzer extends AbstractFailureAnalyzer<StoreException> {

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
    String action = action(cause);
    return action == null
        ? null
        : new FailureAnalysis(
            "The store of claims does not do: " + cause.getMessage(), action, rootFailure);
  }

  private static @Nullable String action(StoreException cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof StoreMisconfigured && message.startsWith("table ")) {
      // The message names the table, and both tables are made the same way.
      return "Set dedup.jdbc.schema=create (for results, dedup.results.schema=create) to have the table made at start, or run the script of"
          + " the dedup-jdbc jar (with Flyway: add classpath:io/dedup/jdbc/{vendor} to"
          + " spring.flyway.locations).";
    }
    if (cause instanceof StoreMisconfigured) {
      return "Change the store as the description says.";
    }
    return cause instanceof StoreUnavailable
        ? "Start the store, or correct the address and credentials in spring.data.redis.* or"
            + " spring.datasource.*."
        : null;
  }
}
