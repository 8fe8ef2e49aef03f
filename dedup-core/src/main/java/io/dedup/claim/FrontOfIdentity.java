// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the store in front of a database that belongs to the database as it is now. Thread-safe.
 *
 * <p>A process may live through the promotion of a standby that lacks what was committed last: it
 * must not believe what its front says of the database before. So an identity is trusted for a
 * short while only, counted from before it was read, which is shorter than a standby takes to be
 * promoted after the last answer of its primary.
 */
final class FrontOfIdentity implements Supplier<ClaimStore> {

  /** How long an identity is trusted. */
  static final Duration MAX_AGE = Duration.ofSeconds(1);

  private final Supplier<String> identity;
  private final Function<String, ClaimStore> frontOf;
  private final ProcessClock clock;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Present present;
  private @Nullable Failed failed;

  FrontOfIdentity(
      Supplier<String> identity, Function<String, ClaimStore> frontOf, ProcessClock clock) {
    this.identity = identity;
    this.frontOf = frontOf;
    this.clock = clock;
  }

  @Override
  public ClaimStore get() {
    Present known = present;
    if (known != null && isFresh(known.readAtNanos)) {
      return known.front;
    }
    reading.lock();
    try {
      known = present;
      return known != null && isFresh(known.readAtNanos) ? known.front : read(known);
    } finally {
      reading.unlock();
    }
  }

  private ClaimStore read(@Nullable Present known) {
    Failed before = failed;
    if (before != null && isFresh(before.atNanos)) {
      // Whoever waited for the one who failed does not wait as long once more.
      throw new StoreUnavailable(
          "the database's identity could not be read a moment ago", before.cause);
    }
    long asked = clock.nanoTime();
    String now;
    try {
      now = identity.get();
    } catch (RuntimeException e) {
      failed = new Failed(e, clock.nanoTime());
      throw e;
    }
    ClaimStore front =
        known != null && known.identity.equals(now) ? known.front : frontOf.apply(now);
    present = new Present(now, front, asked);
    return front;
  }

  private boolean isFresh(long atNanos) {
    return clock.nanoTime() - atNanos <= MAX_AGE.toNanos();
  }

  private record Present(String identity, ClaimStore front, long readAtNanos) {}

  private record Failed(RuntimeException cause, long atNanos) {}
}
