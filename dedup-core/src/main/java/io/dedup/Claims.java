// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batch half of a {@link Deduplicator}: claims many keys in one exchange with the store, before
 * their effects are done by somebody else, and stores their completions behind, many in one
 * exchange. Thread-safe.
 *
 * <p>A delivery may be acknowledged only after its claim's settlement is stored, see {@link
 * #settle}.
 */
public final class Claims {

  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private final ClaimStore store;
  private final StoreCalls calls;
  private final LeaseKeeper keeper;
  private final LeaseSettling settling;
  private final LeaseStart start;
  private final Listeners listeners;
  private final KeysInHand keys;
  private final SettleQueue queue;
  private final String owner;
  private volatile boolean closed;

  Claims(
      ClaimStore store,
      StoreCalls calls,
      LeaseKeeper keeper,
      LeaseSettling settling,
      LeaseStart start,
      Listeners listeners,
      KeysInHand keys,
      SettleQueue queue,
      String owner) {
    this.store = store;
    this.calls = calls;
    this.keeper = keeper;
    this.settling = settling;
    this.start = start;
    this.listeners = listeners;
    this.keys = keys;
    this.queue = queue;
    this.owner = owner;
  }

  /**
   * Asks for keys, in one exchange.
   *
   * @return an answer for each, in their order
   * @throws StoreException if the store is in trouble; no claim is held then
   */
  public List<Claimed> claim(List<Ask> asks) {
    if (closed) {
      throw new StoreUnavailable("the deduplicator is closed: nobody would renew the lease", null);
    }
    return new ClaimBatch(this, asks).answers();
  }

  /**
   * Waits until the completions of {@code held} are stored or known not to be.
   *
   * @param atMost how long
   * @return whether there is nothing left to wait for; look at each outcome then
   */
  public boolean settle(Collection<Held> held, Duration atMost) {
    long end = clock().nanoTime() + atMost.toNanos();
    boolean interrupted = false;
    try {
      for (Held one : held) {
        while (!one.ended().isDone()) {
          if (queue.isByHand() && clock().nanoTime() - end < 0) {
            queue.sendSome();
            continue;
          }
          try {
            one.ended().get(Math.max(0, end - clock().nanoTime()), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            // What is done must be stored all the same; the time is bounded.
            interrupted = true;
          } catch (TimeoutException e) {
            return false;
          } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome is never an exception", e);
          }
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Gives keys back that are still open, in one exchange: nothing was done. Tried once, else their
   * leases end by themselves.
   */
  public void release(Collection<Held> held) {
    List<Held> open = held.stream().filter(Held::beginRelease).toList();
    if (open.isEmpty()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      calls.settle(
          store,
          open.stream()
              .map(h -> new SettleRequest(h.claim().claim(), new Settlement.Release()))
              .toList());
    } catch (StoreException e) {
      LOG.warn("{} claims not given back, their leases will end: {}", open.size(), e.getMessage());
    } finally {
      open.forEach(h -> h.end(new Outcome.InProgress<>("", Duration.ZERO)));
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Stores that effects failed together, in one exchange. Tried once, else their leases end by
   * themselves.
   */
  public void fail(Collection<Held> held, Throwable cause) {
    List<Held> open = held.stream().filter(Held::beginRelease).toList();
    if (open.isEmpty()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      calls.settle(store, open.stream().map(h -> h.failure(cause)).toList());
    } catch (StoreException e) {
      LOG.warn("{} failures not stored, leases will end: {}", open.size(), e.getMessage());
    } finally {
      open.forEach(h -> h.failed(cause));
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Tells the listeners what became of a delivery whose answer was acted upon. */
  public void decided(Ask ask, Outcome<StoredResult> outcome) {
    decided(ask, outcome, Duration.ZERO);
  }

  /**
   * Does what {@link #decided(Ask, Outcome)} does.
   *
   * @param waited how long the delivery waited for another who had its key
   */
  public void decided(Ask ask, Outcome<StoredResult> outcome, Duration waited) {
    Delivery delivery = ask.delivery();
    Deduplicator.log(delivery, outcome);
    listeners.tell(
        new DedupEvent.Decided(
            delivery.key(), outcome, delivery.label(), waited, ask.policy().ttl()));
  }

  /**
   * Tells the listeners of a delivery that is a duplicate of an effect which this process has just
   * done.
   */
  public void duplicateHere(Ask ask, Held done) {
    Origin origin = done.delivery().origin();
    DuplicateReason reason = DuplicateReason.of(ask.delivery().origin(), origin);
    decided(ask, new Outcome.Duplicate<>(null, reason, origin, calls.storeTime()));
  }

  void tell(DedupEvent event) {
    listeners.tell(event);
  }

  void ended(Held held) {
    keeper.drop(held.claim());
    keys.giveBack(held.key(), held);
  }

  ClaimStore store() {
    return store;
  }

  StoreCalls calls() {
    return calls;
  }

  LeaseKeeper keeper() {
    return keeper;
  }

  KeysInHand keys() {
    return keys;
  }

  String owner() {
    return owner;
  }

  LeaseStart start() {
    return start;
  }

  LeaseSettling settling() {
    return settling;
  }

  SettleQueue queue() {
    return queue;
  }

  ProcessClock clock() {
    return calls.clock();
  }

  void close() {
    closed = true;
    queue.close();
  }
}
