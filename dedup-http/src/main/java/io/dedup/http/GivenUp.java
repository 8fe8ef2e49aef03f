// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Held;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.time.ProcessClock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Claims of requests that nobody waits for any more, while their handlers may be at work.
 * Thread-safe.
 *
 * <p>Where nobody may run such a key again ({@code HOLD}), its lease need not be renewed. Else it
 * is renewed for as long as a handler may take, so that the next one does not run beside it.
 */
final class GivenUp {

  private record Claim(Held held, long endNanos) {}

  private final ProcessClock clock;
  private final Queue<Claim> claims = new ConcurrentLinkedQueue<>();

  GivenUp(ProcessClock clock) {
    this.clock = clock;
  }

  void add(Held held, Operation operation) {
    sweep();
    if (operation.policy().onLeaseExpired() == OnLeaseExpired.HOLD) {
      held.abandon();
    } else {
      long left = operation.policy().maxProcessing().toNanos();
      claims.add(new Claim(held, clock.nanoTime() + left));
    }
  }

  /** Leaves those to their leases that have had their time; there are few. */
  private void sweep() {
    long now = clock.nanoTime();
    claims.removeIf(
        claim -> {
          boolean over = now - claim.endNanos() >= 0;
          return over && (claim.held().abandon() || !claim.held().isOpen());
        });
  }
}
