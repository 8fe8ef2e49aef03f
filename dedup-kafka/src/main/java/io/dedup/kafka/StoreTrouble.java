// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trouble with the store: nothing is processed for a while, then one record is tried, until one
 * goes through. Said once, not at each try. Confined to the poll loop's thread.
 */
final class StoreTrouble {

  private static final Logger LOG = LoggerFactory.getLogger(StoreTrouble.class);
  private static final BackOff PAUSES = BackOff.untilBetter();

  private final ProcessClock clock;
  private @Nullable StoreException cause;
  private @Nullable TopicPartition metAt;
  private int times;
  private long untilNanos;

  StoreTrouble(ProcessClock clock) {
    this.clock = clock;
  }

  /** The next record of this partition met trouble. */
  void met(TopicPartition partition, StoreException trouble) {
    Duration pause = PAUSES.after(++times);
    untilNanos = clock.nanoTime() + pause.toNanos();
    cause = trouble;
    metAt = partition;
    if (times == 1) {
      LOG.warn("the store is in trouble, nothing is processed meanwhile: {}", trouble.getMessage());
    } else {
      LOG.debug("the store is in trouble still, next try in {}", pause, trouble);
    }
  }

  /** A record was processed. */
  void over() {
    if (cause != null) {
      LOG.info("the store answers again, records are processed");
      forget();
    }
  }

  /** Partitions are gone: if the trouble was met at one of them, nobody waits for its end here. */
  void gone(Collection<TopicPartition> partitions) {
    if (metAt != null && partitions.contains(metAt)) {
      forget();
    }
  }

  private void forget() {
    cause = null;
    metAt = null;
    times = 0;
  }

  /** Whether nothing is to be tried now. */
  boolean pauses() {
    return cause != null && clock.nanoTime() - untilNanos < 0;
  }

  /** Returns how long nothing is to be tried; 0 if something may be. */
  Duration pauseLeft() {
    return pauses() ? Duration.ofNanos(untilNanos - clock.nanoTime()) : Duration.ZERO;
  }

  @Nullable StoreException cause() {
    return cause;
  }
}
