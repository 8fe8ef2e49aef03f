// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.jdbc.PurgeSchedule;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Removes expired records while the application runs. Thread-safe. */
final class PurgeLifecycle implements SmartLifecycle {

  private final String prefix;
  private final DedupProperties.Purge properties;
  private final BooleanSupplier used;
  private final Supplier<PurgeSchedule.Builder> unfinished;
  private @Nullable PurgeSchedule schedule;

  /**
   * Makes the lifecycle.
   *
   * @param prefix of the properties, for messages
   * @param used whether the application keeps anything in the store
   * @param unfinished begins a schedule of the store
   */
  PurgeLifecycle(
      String prefix,
      DedupProperties.Purge properties,
      BooleanSupplier used,
      Supplier<PurgeSchedule.Builder> unfinished) {
    this.prefix = prefix;
    this.properties = properties;
    this.used = used;
    this.unfinished = unfinished;
  }

  @Override
  public synchronized void start() {
    if (!properties.enabled() || schedule != null || !used.getAsBoolean()) {
      return;
    }
    try {
      schedule =
          unfinished
              .get()
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
      throw ConfigurationRefused.property(prefix + "." + message, "", e);
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
