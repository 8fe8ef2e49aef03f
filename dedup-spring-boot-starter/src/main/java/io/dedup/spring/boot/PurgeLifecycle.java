// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import io.dedup.jdbc.PurgeSchedule;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Removes expired records while the application runs. Thread-safe. */
final class PurgeLifecycle implements SmartLifecycle {

  private final DedupProperties.Purge properties;
  private final boolean used;
  private final Supplier<? extends ClaimStore> store;
  private @Nullable PurgeSchedule schedule;

  /**
   * Makes the lifecycle.
   *
   * @param used whether the application keeps anything in the store
   */
  PurgeLifecycle(
      DedupProperties.Purge properties, boolean used, Supplier<? extends ClaimStore> store) {
    this.properties = properties;
    this.used = used;
    this.store = store;
  }

  @Override
  public synchronized void start() {
    if (!used || !properties.enabled() || schedule != null) {
      return;
    }
    try {
      schedule =
          PurgeSchedule.builder(store.get())
              .grace(properties.grace())
              .interval(properties.interval())
              .batchSize(properties.batchSize())
              .roundLimit(properties.roundLimit())
              .start();
    } catch (IllegalArgumentException e) {
      String message =
          String.valueOf(e.getMessage())
              .replace("batchSize", "batch-size")
              .replace("roundLimit", "round-limit");
      throw ConfigurationRefused.property("dedup.jdbc.purge." + message, "", e);
    }
  }

  @Override
  public synchronized void stop() {
    if (schedule != null) {
      schedule.close();
      schedule = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return schedule != null;
  }
}
