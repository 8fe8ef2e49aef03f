// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.ResultStore;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired records of a store at intervals, in its own daemon thread, until it is closed.
 * Thread-safe.
 *
 * <p>Each round removes batch after batch until nothing is left that has expired, or its time is
 * over; each batch is a short transaction of the store. Any number of processes may purge the same
 * table. Trouble with the store ends a round, not the schedule.
 */
public final class PurgeSchedule implements AutoCloseable {

  /** The seconds before the first round unless said otherwise. */
  public static final int DEFAULT_GRACE_SECONDS = 300;

  /** The seconds between rounds unless said otherwise. */
  public static final int DEFAULT_INTERVAL_SECONDS = 60;

  /** The records of a batch unless said otherwise. */
  public static final int DEFAULT_BATCH_SIZE = 500;

  /** The seconds that a round may take unless said otherwise. */
  public static final int DEFAULT_ROUND_SECONDS = 10;

  private static final Logger log = LoggerFactory.getLogger(PurgeSchedule.class);
  private static final int BATCH_MAX = 10_000;

  private final IntUnaryOperator purge;
  private final Duration grace;
  private final Duration interval;
  private final int batchSize;
  private final Duration roundLimit;
  private final ProcessClock clock;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "dedup-purge");

  private PurgeSchedule(Builder builder) {
    this.purge = builder.purge;
    this.grace = builder.grace;
    this.interval = builder.interval;
    this.batchSize = builder.batchSize;
    this.roundLimit = builder.roundLimit;
    this.clock = builder.clock;
    this.thread.setDaemon(true);
  }

  /** Returns a builder of a schedule for {@code store}. */
  public static Builder builder(ClaimStore store) {
    return new Builder(store::purgeExpired);
  }

  /** Returns a builder of a schedule for a store of results, which needs one of its own. */
  public static Builder builder(ResultStore store) {
    return new Builder(store::purgeExpired);
  }

  /** Ends the schedule, and waits until the batch in hand is done. */
  @Override
  public void close() {
    closing.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    Duration wait = grace;
    while (!isClosedWithin(wait)) {
      try {
        round();
      } catch (StoreException e) {
        log.warn("purging stopped until the next round, in {}", interval, e);
      } catch (RuntimeException e) {
        log.error("purging stopped until the next round, in {}", interval, e);
      }
      wait = interval;
    }
  }

  private void round() {
    long start = clock.nanoTime();
    long removed = 0;
    int batch;
    boolean timeIsLeft;
    do {
      batch = purge.applyAsInt(batchSize);
      removed += batch;
      log.debug("purged {} records, {} in this round", batch, removed);
      timeIsLeft = clock.nanoTime() - start < roundLimit.toNanos();
    } while (batch == batchSize && timeIsLeft && !isClosedWithin(Duration.ZERO));
    if (removed > 0) {
      log.info(
          "purged {} expired records in {} ms{}",
          removed,
          TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - start),
          batch == batchSize ? "; more are left" : "");
    }
  }

  private boolean isClosedWithin(Duration wait) {
    try {
      return closing.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Only close() interrupts this thread.
      return true;
    }
  }

  /** Collects the settings of a schedule. */
  public static final class Builder {
    private final IntUnaryOperator purge;
    private Duration grace = Duration.ofSeconds(DEFAULT_GRACE_SECONDS);
    private Duration interval = Duration.ofSeconds(DEFAULT_INTERVAL_SECONDS);
    private int batchSize = DEFAULT_BATCH_SIZE;
    private Duration roundLimit = Duration.ofSeconds(DEFAULT_ROUND_SECONDS);
    private ProcessClock clock = ProcessClock.system();

    private Builder(IntUnaryOperator purge) {
      this.purge = purge;
    }

    /**
     * Sets the time before the first round, by default {@value PurgeSchedule#DEFAULT_GRACE_SECONDS}
     * seconds: after a long outage, what is delivered again first shall find its records before
     * they are removed.
     *
     * @param time 0 or more
     */
    public Builder grace(Duration time) {
      this.grace = atLeast("grace", time, Duration.ZERO);
      return this;
    }

    /**
     * Sets the time between rounds, by default {@value PurgeSchedule#DEFAULT_INTERVAL_SECONDS}
     * seconds.
     *
     * @param time at least a millisecond
     */
    public Builder interval(Duration time) {
      this.interval = atLeast("interval", time, Duration.ofMillis(1));
      return this;
    }

    /**
     * Sets how many records a transaction removes at most, by default {@value
     * PurgeSchedule#DEFAULT_BATCH_SIZE}.
     *
     * @param records 1 to 10,000
     */
    public Builder batchSize(int records) {
      if (records < 1 || records > BATCH_MAX) {
        throw new IllegalArgumentException(
            "batchSize: was " + records + ", must be 1 to " + BATCH_MAX);
      }
      this.batchSize = records;
      return this;
    }

    /**
     * Sets after how long a round begins no further batch, by default {@value
     * PurgeSchedule#DEFAULT_ROUND_SECONDS} seconds.
     *
     * @param time at least a millisecond
     */
    public Builder roundLimit(Duration time) {
      this.roundLimit = atLeast("roundLimit", time, Duration.ofMillis(1));
      return this;
    }

    /** Sets the clock that rounds are measured by; by default the JVM's. */
    public Builder clock(ProcessClock processClock) {
      this.clock = processClock;
      return this;
    }

    /** Starts the schedule. */
    public PurgeSchedule start() {
      PurgeSchedule schedule = new PurgeSchedule(this);
      schedule.thread.start();
      return schedule;
    }

    private static Duration atLeast(String name, Duration time, Duration min) {
      if (time.compareTo(min) < 0) {
        throw new IllegalArgumentException(name + ": was " + time + ", must be at least " + min);
      }
      return time;
    }
  }
}
