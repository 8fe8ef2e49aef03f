// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.StoreStats;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Counts the keys in the store at intervals, in its own daemon thread, while the application runs.
 * Thread-safe.
 */
final class KeyCounting implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(KeyCounting.class);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration interval;
  private final Supplier<StoreStats> count;
  private final Consumer<StoreStats> meters;
  private @Nullable Thread thread;
  private CountDownLatch stopping = new CountDownLatch(1);

  /**
   * Makes the lifecycle.
   *
   * @param interval 0 for never
   * @throws ConfigurationRefused if the interval is shorter than a second
   */
  KeyCounting(Duration interval, Supplier<StoreStats> count, Consumer<StoreStats> meters) {
    if (!interval.isZero() && interval.compareTo(SHORTEST) < 0) {
      throw ConfigurationRefused.property(
          "dedup.metrics.store-keys-interval: was "
              + interval
              + ", must be 0 for never, or at least "
              + SHORTEST,
          "",
          null);
    }
    this.interval = interval;
    this.count = count;
    this.meters = meters;
  }

  @Override
  public synchronized void start() {
    if (interval.isZero() || thread != null) {
      return;
    }
    CountDownLatch stop = new CountDownLatch(1);
    stopping = stop;
    Thread counting = new Thread(() -> run(stop), "dedup-key-count");
    counting.setDaemon(true);
    counting.start();
    thread = counting;
  }

  private void run(CountDownLatch stop) {
    try {
      do {
        countOnce();
      } while (!stop.await(interval.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countOnce() {
    try {
      meters.accept(count.get());
    } catch (RuntimeException e) {
      log.warn("keys could not be counted, trying again in {}: {}", interval, e.getMessage());
    }
  }

  /** Does not wait for a count in hand, which changes nothing. */
  @Override
  public synchronized void stop() {
    stopping.countDown();
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
