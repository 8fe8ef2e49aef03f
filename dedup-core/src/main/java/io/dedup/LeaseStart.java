// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.Holder;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether the handler of an acquired key may start: enough of the lease is left, a probe
 * finds nothing done, and there are attempts left. Thread-safe.
 */
final class LeaseStart {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseStart.class);
  private static final int RENEWALS_BEFORE_START = 3;

  private final StoreCalls calls;
  private final LeaseKeeper keeper;
  private final LeaseSettling settling;
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;

  LeaseStart(
      StoreCalls calls,
      LeaseKeeper keeper,
      LeaseSettling settling,
      Listeners listeners,
      String owner) {
    this.calls = calls;
    this.keeper = keeper;
    this.settling = settling;
    this.listeners = listeners;
    this.clock = calls.clock();
    this.owner = owner;
  }

  /**
   * Decides; what has to be stored before a start is stored.
   *
   * @return null if the handler may start; an outcome if it must not
   * @throws StoreException if it cannot be decided; the claim is kept for the next call
   */
  @Nullable Outcome<StoredResult> refusal(
      Delivery delivery,
      Policy policy,
      ClaimRequest request,
      ClaimAnswer.Acquired acquired,
      HeldClaim held) {
    if (!holds(request, held)) {
      return taken(held);
    }
    EffectProbe probe = policy.probe();
    if (probe != null && policy.onLeaseExpired() == OnLeaseExpired.PROBE && acquired.takenOver()) {
      Outcome<StoredResult> found = probed(delivery, policy, held, probe);
      if (found != null) {
        return found;
      }
      // The probe may have taken longer than the lease.
      if (!holds(request, held)) {
        return taken(held);
      }
    }
    // Counted after the probe: what is known to be done is a duplicate, and no dead letter.
    if (acquired.attempt() > policy.maxAttempts()) {
      int attempts = acquired.attempt() - 1;
      settling.fail(held, policy, "attempts used up: " + attempts);
      return new Outcome.AttemptsUsedUp<>(attempts);
    }
    return startStored(request, acquired, held) ? null : taken(held);
  }

  /**
   * Stores the start where the claim did not count as one and somebody will ask for it: under a
   * policy that asks, and for a record that may have ended a process before.
   */
  private boolean startStored(ClaimRequest request, ClaimAnswer.Acquired acquired, HeldClaim held) {
    boolean asked = request.start() == ClaimStart.RECORDED_LATER;
    boolean suspect = acquired.takenOver() || acquired.attempt() > 1;
    if (request.start() == ClaimStart.NOW || !(asked || suspect)) {
      return true;
    }
    try {
      return calls
          .settle(held.store(), new SettleRequest(held.claim(), new Settlement.Start()))
          .fold(applied -> true, fenced -> refused(held, fenced.current()));
    } catch (StoreException e) {
      calls.keepUnused(request);
      throw e;
    }
  }

  private boolean refused(HeldClaim held, Holder current) {
    if (held.takenBy(current)) {
      listeners.tell(new DedupEvent.LeaseTaken(held.claim().key(), current));
    }
    return false;
  }

  /**
   * Returns whether enough of the lease is left to start, renewing it if not; false if it is lost.
   */
  private boolean holds(ClaimRequest request, HeldClaim held) {
    try {
      for (int i = 0; i < RENEWALS_BEFORE_START; i++) {
        if (held.mayStart(clock.nanoTime())) {
          return true;
        }
        if (!keeper.renewNow(held)) {
          return false;
        }
      }
      if (held.mayStart(clock.nanoTime())) {
        return true;
      }
      throw new StoreUnavailable(
          "lease: was " + held.lease() + ", must be longer than answers of the store take", null);
    } catch (StoreException e) {
      calls.keepUnused(request);
      throw e;
    }
  }

  static <T> Outcome<T> taken(HeldClaim held) {
    Holder current = held.takenBy();
    return new Outcome.InProgress<>(current == null ? "" : current.owner(), Duration.ZERO);
  }

  private @Nullable Outcome<StoredResult> probed(
      Delivery delivery, Policy policy, HeldClaim held, EffectProbe probe) {
    EffectProbe.Finding finding;
    try {
      finding = Objects.requireNonNull(probe.probe(held.claim().key()), "finding");
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      // Neither failed nor released: the key stays in doubt, and whoever finds the lease over asks
      // again.
      LOG.warn("probe failed, the key stays in doubt", e);
      return new Outcome.InDoubt<>(owner, held.claim().token(), calls.storeTime());
    }
    if (finding instanceof EffectProbe.Finding.Done done) {
      Outcome<StoredResult> stored = settling.completed(held, policy, null, done.result());
      return stored instanceof Outcome.Executed
          ? new Outcome.Duplicate<>(
              done.result(), DuplicateReason.PROBED, delivery.origin(), calls.storeTime())
          : stored;
    }
    return null;
  }
}
