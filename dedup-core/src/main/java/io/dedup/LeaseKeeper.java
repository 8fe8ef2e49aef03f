// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the claims of this process at a third of their leases, all that are due in one batch.
 * Thread-safe.
 *
 * <p>It has a platform thread of its own, so that handlers on virtual threads, or a pool that is
 * full, do not keep it from its work.
 */
final class LeaseKeeper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final long NOTHING_DUE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final StoreCalls calls;
  private final ProcessClock clock;
  private final Listeners listeners;
  private final Set<HeldClaim> held = ConcurrentHashMap.newKeySet();
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition earlier = guard.newCondition();
  private final Thread thread = new Thread(this::run, "dedup-leases");
  private long wakeAtNanos;
  private boolean closed;

  LeaseKeeper(StoreCalls calls, Listeners listeners) {
    this.calls = calls;
    this.clock = calls.clock();
    this.listeners = listeners;
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void keep(HeldClaim claim) {
    held.add(claim);
    guard.lock();
    try {
      // Without the signal a claim with a short lease would wait for the next one with a long
      // lease.
      if (claim.renewAtNanos() - wakeAtNanos < 0) {
        earlier.signal();
      }
    } finally {
      guard.unlock();
    }
  }

  void drop(HeldClaim claim) {
    held.remove(claim);
  }

  /** Whether the key waits for the end of a transaction of this thread. */
  boolean isDeferredBy(Thread thread, IdempotencyKey key) {
    return held.stream().anyMatch(c -> c.isDeferredBy(thread) && c.claim().key().equals(key));
  }

  /** Renews what is due. Called by the thread; tests call it after they have moved the clock. */
  void renewDue() {
    long now = clock.nanoTime();
    Map<ClaimStore, List<HeldClaim>> due =
        held.stream().filter(c -> c.isDue(now)).collect(Collectors.groupingBy(HeldClaim::store));
    due.forEach(this::renewInBatches);
  }

  /** Renews one claim now. Returns whether it still holds. */
  boolean renewNow(HeldClaim claim) {
    long sent = clock.nanoTime();
    SettleAnswer answer = calls.settle(claim.store(), renewal(claim));
    return answered(claim, answer, sent);
  }

  /**
   * A batch names each key once; an older claim of the same key waits for the next, and is refused
   * there.
   */
  private void renewInBatches(ClaimStore store, List<HeldClaim> due) {
    List<HeldClaim> rest = due;
    while (!rest.isEmpty()) {
      Set<IdempotencyKey> keys = new HashSet<>();
      List<HeldClaim> batch = new ArrayList<>();
      List<HeldClaim> later = new ArrayList<>();
      rest.forEach(claim -> (keys.add(claim.claim().key()) ? batch : later).add(claim));
      renew(store, batch);
      rest = later;
    }
  }

  private void renew(ClaimStore store, List<HeldClaim> batch) {
    long sent = clock.nanoTime();
    List<SettleRequest> requests = batch.stream().map(LeaseKeeper::renewal).toList();
    try {
      List<SettleAnswer> answers = calls.settle(store, requests);
      for (int i = 0; i < batch.size(); i++) {
        answered(batch.get(i), answers.get(i), sent);
      }
    } catch (StoreException e) {
      if (e instanceof StoreCorrupt && batch.size() > 1) {
        // One unreadable record must not cost its neighbours their leases.
        batch.forEach(claim -> renew(store, List.of(claim)));
        return;
      }
      LOG.warn("renewal of {} leases failed, trying again: {}", batch.size(), e.getMessage());
      batch.forEach(claim -> claim.postpone(clock.nanoTime()));
    }
  }

  private boolean answered(HeldClaim claim, SettleAnswer answer, long sentNanos) {
    return answer.fold(
        applied -> {
          claim.extend(sentNanos);
          return true;
        },
        fenced -> {
          if (claim.isSettling()) {
            claim.refused();
          } else if (claim.takenBy(fenced.current())) {
            listeners.tell(new DedupEvent.LeaseTaken(claim.claim().key(), fenced.current()));
          }
          return false;
        });
  }

  private static SettleRequest renewal(HeldClaim claim) {
    return new SettleRequest(claim.claim(), new Settlement.Renew(claim.lease(), claim.ttl()));
  }

  private void run() {
    while (awaitDue()) {
      try {
        renewDue();
      } catch (Throwable e) {
        // Without this thread every lease of the process would end, so not even an error ends it.
        LOG.error("renewal of leases failed, trying again", e);
        long now = clock.nanoTime();
        held.stream().filter(c -> c.isDue(now)).forEach(c -> c.postpone(now));
      }
    }
  }

  /** Returns whether there is more to do; false once closed. */
  private boolean awaitDue() {
    guard.lock();
    try {
      while (!closed) {
        long now = clock.nanoTime();
        long wait =
            held.stream()
                .filter(c -> c.isRenewable(now))
                .mapToLong(c -> c.renewAtNanos() - now)
                .min()
                .orElse(NOTHING_DUE_NANOS);
        if (wait <= 0) {
          return true;
        }
        wakeAtNanos = now + wait;
        try {
          earlier.awaitNanos(wait);
        } catch (InterruptedException e) {
          // Whoever interrupts this thread does not close it: claims are held, and their leases
          // must go on.
          LOG.warn(
              "interrupted, and going on: leases are renewed until the deduplicator is closed");
        }
      }
      return false;
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void close() {
    guard.lock();
    try {
      closed = true;
      earlier.signal();
    } finally {
      guard.unlock();
    }
  }
}
