// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a store whose answers nobody depends on. Thread-safe.
 *
 * <p>While it is in trouble one call in a while asks it again, so that not each delivery waits for
 * its time-out. What goes wrong is logged once and told each time.
 */
final class FrontCalls {

  private static final Logger LOG = LoggerFactory.getLogger(FrontCalls.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final ProcessClock clock;
  private final Listeners listeners;
  private final AtomicLong askAgainAtNanos = new AtomicLong();
  private volatile boolean troubled;

  FrontCalls(ProcessClock clock, Listeners listeners) {
    this.clock = clock;
    this.listeners = listeners;
  }

  /** Returns whether the last call went wrong. */
  boolean isTroubled() {
    return troubled;
  }

  /** Returns the answer, or {@code unknown} if there is trouble. */
  <T> T ask(String verb, Supplier<T> question, T unknown) {
    // Many clients send nothing in an interrupted thread: that is no trouble of the store.
    if (Thread.currentThread().isInterrupted() || isWaiting()) {
      return unknown;
    }
    try {
      T answer = question.get();
      if (troubled) {
        troubled = false;
        LOG.info("the front answers again");
      }
      return answer;
    } catch (RuntimeException e) {
      trouble(verb, e);
      return unknown;
    }
  }

  /** Whether the front is in trouble and it is not this call's turn to try. */
  private boolean isWaiting() {
    if (!troubled) {
      return false;
    }
    long at = askAgainAtNanos.get();
    long now = clock.nanoTime();
    return now - at < 0 || !askAgainAtNanos.compareAndSet(at, now + PAUSE.toNanos());
  }

  /** Notes that a call went wrong, and goes on. */
  void trouble(String verb, RuntimeException e) {
    StoreException cause =
        e instanceof StoreException known
            ? known
            : new StoreUnavailable("the front broke its contract", e);
    listeners.tell(new DedupEvent.StoreFailed("front-" + verb, cause));
    if (e instanceof StoreCorrupt) {
      // One unreadable record says nothing about the others.
      LOG.warn("a record of the front cannot be read, going on without: {}", e.getMessage());
      return;
    }
    askAgainAtNanos.set(clock.nanoTime() + PAUSE.toNanos());
    if (!troubled) {
      troubled = true;
      LOG.warn("the front does not answer, going on without: {}", e.toString());
    }
  }
}
