// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoreTime;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * The clocks of a process and of its store, moved by hand. Whoever sleeps moves them. Thread-safe.
 *
 * <p>The store's clock is three minutes behind the process's wall clock, which must not matter; and
 * the monotonic clock overflows soon, which must not matter either.
 *
 * <p>For the thread that renews leases no time passes, so that it never acts on its own: what it
 * does is another test's concern, and when it does it would be chance.
 */
final class ManualClock implements ProcessClock {

  private static final Instant START = Instant.parse("2024-02-29T23:59:30.123456Z");
  private static final Duration STORE_BEHIND = Duration.ofMinutes(3);
  private static final long NANOS_AT_START = Long.MAX_VALUE - Duration.ofSeconds(15).toNanos();

  private final Object moving = new Object();
  private final PriorityQueue<Due> plan = new PriorityQueue<>();
  private Duration elapsed = Duration.ZERO;

  @Override
  public synchronized Instant now() {
    return START.plus(elapsed);
  }

  @Override
  public synchronized long nanoTime() {
    boolean renewsLeases = Thread.currentThread().getName().equals("dedup-leases");
    return renewsLeases ? NANOS_AT_START : NANOS_AT_START + elapsed.toNanos();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted by hand");
    }
    advance(duration);
  }

  /** Returns what has passed since the start. */
  synchronized Duration elapsed() {
    return elapsed;
  }

  StoreTime storeTime() {
    return () -> now().minus(STORE_BEHIND);
  }

  Instant storeNow() {
    return now().minus(STORE_BEHIND);
  }

  /** Lets {@code action} happen once this much more has passed. */
  synchronized void after(Duration wait, Runnable action) {
    plan.add(new Due(elapsed.plus(wait), action));
  }

  /**
   * Lets time pass, and what is planned happen in its order. While that happens time stands still
   * for whoever else would move it: what is planned for a moment happens at that moment.
   */
  void advance(Duration step) {
    synchronized (moving) {
      Duration target = elapsed().plus(step);
      Due next = nextUntil(target);
      while (next != null) {
        next.action.run();
        next = nextUntil(target);
      }
    }
  }

  private synchronized Due nextUntil(Duration target) {
    Due next = plan.peek();
    if (next == null || next.at.compareTo(target) > 0) {
      elapsed = later(elapsed, target);
      return null;
    }
    elapsed = later(elapsed, next.at);
    return plan.poll();
  }

  private static Duration later(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private record Due(Duration at, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at.compareTo(other.at);
    }
  }
}
