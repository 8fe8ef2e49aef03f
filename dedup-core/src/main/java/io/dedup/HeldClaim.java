// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this process holds, from its acquisition until its settlement is answered.
 * Thread-safe.
 *
 * <p>The end of the lease is counted on the process's monotonic clock from before the request was
 * sent, so it is never later than the store's. What is left of it is the store's word: a claim that
 * was sent again may be old already.
 */
final class HeldClaim {

  private final ClaimStore store;
  private final Claim claim;
  private final Duration lease;
  private final Duration ttl;
  private final long renewUntilNanos;
  private volatile long leaseEndNanos;
  private volatile long renewAtNanos;
  private volatile boolean settling;
  private volatile boolean refused;
  private volatile @Nullable Thread deferredBy;
  private final AtomicReference<@Nullable Holder> takenBy = new AtomicReference<>();

  HeldClaim(ClaimStore store, Claim claim, Policy policy, long sentNanos, Duration leaseLeft) {
    this.store = store;
    this.claim = claim;
    this.lease = policy.lease();
    this.ttl = policy.ttl();
    this.renewUntilNanos = sentNanos + policy.maxProcessing().toNanos();
    lasts(sentNanos + leaseLeft.toNanos());
  }

  ClaimStore store() {
    return store;
  }

  Claim claim() {
    return claim;
  }

  Duration lease() {
    return lease;
  }

  Duration ttl() {
    return ttl;
  }

  /** A renewal that was sent at this time was stored. */
  void extend(long sentNanos) {
    lasts(sentNanos + lease.toNanos());
  }

  private void lasts(long endNanos) {
    leaseEndNanos = endNanos;
    renewAtNanos = endNanos - lease.toNanos() / 3 * 2;
  }

  /** A renewal got no answer: try again soon, there are some tries left before the lease ends. */
  void postpone(long nowNanos) {
    renewAtNanos = nowNanos + lease.toNanos() / 9;
  }

  /** Another has the key. Returns whether that is news. */
  boolean takenBy(Holder holder) {
    return takenBy.compareAndSet(null, holder);
  }

  /**
   * A renewal met our own settlement: there is nothing left to renew, and asking again would never
   * end.
   */
  void refused() {
    refused = true;
  }

  /** From now on a refused renewal is no loss: it may have met our own settlement. */
  void settling() {
    settling = true;
  }

  /** It is held on after its call has returned, until a transaction has ended. */
  void defer() {
    deferredBy = Thread.currentThread();
  }

  boolean isDeferred() {
    return deferredBy != null;
  }

  /** Whether it is this thread whose transaction has to end first. */
  boolean isDeferredBy(Thread thread) {
    return deferredBy == thread;
  }

  boolean isSettling() {
    return settling;
  }

  @Nullable Holder takenBy() {
    return takenBy.get();
  }

  boolean isRenewable(long nowNanos) {
    return takenBy.get() == null && !refused && nowNanos - renewUntilNanos < 0;
  }

  boolean isDue(long nowNanos) {
    return isRenewable(nowNanos) && nowNanos - renewAtNanos >= 0;
  }

  long renewAtNanos() {
    return renewAtNanos;
  }

  boolean isOver(long nowNanos) {
    return takenBy.get() != null || nowNanos - leaseEndNanos >= 0;
  }

  /** Whether enough of the lease is left to start a handler: more than a third. */
  boolean mayStart(long nowNanos) {
    return takenBy.get() == null && leaseEndNanos - nowNanos > lease.toNanos() / 3;
  }
}
