// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Holder;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A key that this process has claimed, from the claim to its settlement: {@link #start}, do the
 * effect, then {@link #complete(StoredResult)}, {@link #fail} or {@link #release}. Its lease is
 * renewed until then. Thread-safe; it is settled once, whoever comes first.
 */
public final class Held {

  private enum Phase {
    CLAIMED,
    RUNNING,
    COMPLETING,
    ENDED
  }

  private static final Set<Phase> OPEN = Set.of(Phase.CLAIMED, Phase.RUNNING);

  private final Claims claims;
  private final Ask ask;
  private final ClaimRequest request;
  private final ClaimAnswer.Acquired acquired;
  private final HeldClaim claim;
  private final DedupContext context;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.CLAIMED);
  private final CompletableFuture<Outcome<StoredResult>> ended = new CompletableFuture<>();
  private volatile long startedNanos;

  Held(
      Claims claims,
      Ask ask,
      ClaimRequest request,
      ClaimAnswer.Acquired acquired,
      HeldClaim claim,
      DedupContext context) {
    this.claims = claims;
    this.ask = ask;
    this.request = request;
    this.acquired = acquired;
    this.claim = claim;
    this.context = context;
  }

  /** Returns the key. */
  public IdempotencyKey key() {
    return ask.delivery().key();
  }

  /** Returns the delivery that it was claimed for. */
  public Delivery delivery() {
    return ask.delivery();
  }

  /** Returns what the effect may know of its claim. */
  public DedupContext context() {
    return context;
  }

  /**
   * Makes sure that the effect may start now: enough of the lease is left, and what has to be known
   * of a start is stored.
   *
   * @return null if it may start; otherwise what it is instead, and the claim has ended
   * @throws StoreException if it cannot be told; the claim has ended here, and the next claim for
   *     this delivery goes on with it
   * @throws IllegalStateException if it was started before
   */
  public @Nullable Outcome<StoredResult> start() {
    if (!phase.compareAndSet(Phase.CLAIMED, Phase.RUNNING)) {
      throw new IllegalStateException("claim: was " + phase.get() + ", must not be started yet");
    }
    Outcome<StoredResult> refusal;
    try {
      refusal = claims.start().refusal(ask.delivery(), ask.policy(), request, acquired, claim);
    } catch (Throwable e) {
      end(LeaseStart.taken(claim));
      throw e;
    }
    if (refusal != null) {
      end(refusal);
      return refusal;
    }
    startedNanos = claims.clock().nanoTime();
    claims.tell(
        new DedupEvent.Claimed(key(), acquired.token(), acquired.attempt(), acquired.takenOver()));
    return null;
  }

  /**
   * The effect is done: its completion is stored soon, together with others. Waits only while too
   * many are waiting.
   *
   * @param result what to keep for duplicates, null for nothing
   * @return whether it was still open; false changes nothing
   */
  public boolean complete(@Nullable StoredResult result) {
    return complete(result, ask.policy().ttl());
  }

  /**
   * Does what {@link #complete(StoredResult)} does, with a time of its own.
   *
   * @param ttl how long the key is known as done, instead of the policy's
   * @throws IllegalArgumentException if no store can keep it that long, or so shortly
   */
  public boolean complete(@Nullable StoredResult result, Duration ttl) {
    // Made first: what is refused changes nothing.
    Settlement.Complete completion = new Settlement.Complete(result, ttl);
    if (!phase.compareAndSet(Phase.RUNNING, Phase.COMPLETING)) {
      return false;
    }
    claim.settling();
    tellEnd(null);
    claims.queue().add(this, completion);
    return true;
  }

  /**
   * The effect is done: stores its completion now, trying again while the lease lasts.
   *
   * @return {@link Outcome.Executed}, {@link Outcome.Fenced} or {@link Outcome.Indeterminate}; what
   *     it is already if it was not open any more
   */
  public Outcome<StoredResult> completeNow(@Nullable StoredResult result) {
    if (!phase.compareAndSet(Phase.RUNNING, Phase.COMPLETING)) {
      return ended.join();
    }
    tellEnd(null);
    Outcome<StoredResult> outcome =
        claims.settling().completed(claim, ask.policy(), result, result);
    decided(outcome);
    return outcome;
  }

  /**
   * The effect failed: stores that, once. Trouble with a store, and a commit whose answer was lost,
   * are no failures and are told apart.
   *
   * @return {@link Outcome.Failed}, {@link Outcome.Fenced}, {@link Outcome.Indeterminate}, or for
   *     trouble with a store {@link Outcome.InProgress}; what it is already if it was not open
   */
  public Outcome<StoredResult> fail(Throwable cause) {
    if (!phase.compareAndSet(Phase.RUNNING, Phase.COMPLETING)) {
      return ended.join();
    }
    tellEnd(cause);
    Outcome<StoredResult> outcome = storeFailure(cause);
    decided(outcome);
    return outcome;
  }

  private Outcome<StoredResult> storeFailure(Throwable cause) {
    if (cause instanceof CommitIndeterminate indeterminate) {
      return claims.settling().indeterminate(claim, null, indeterminate);
    }
    if (cause instanceof LeaseLost lost) {
      return new Outcome.Fenced<>(null, lost.current());
    }
    if (cause instanceof StoreException) {
      claims.settling().once(claim, new Settlement.Release());
      return new Outcome.InProgress<>("", Duration.ZERO);
    }
    claims.settling().failed(claim, ask.policy(), cause);
    return new Outcome.Failed<>(cause);
  }

  /** Gives the key back: nothing was done. Tried once, else the lease ends by itself. */
  public void release() {
    claims.release(Set.of(this));
  }

  /**
   * Nobody will tell what has become of the effect: nothing is stored, now or later, and the lease
   * is renewed no more. Once it is over, the policy for lost workers decides.
   *
   * @return whether it was still open; false changes nothing
   */
  public boolean abandon() {
    if (!beginRelease()) {
      return false;
    }
    end(new Outcome.InProgress<>(claims.owner(), ask.policy().lease()));
    return true;
  }

  /** Returns whether it is neither done nor given back nor failed. */
  public boolean isOpen() {
    return OPEN.contains(phase.get());
  }

  /** Returns whether the effect was started and its end is not known yet. */
  public boolean isRunning() {
    return phase.get() == Phase.RUNNING;
  }

  /**
   * Returns what has become of it; null as long as it is open, or its completion is not stored yet.
   */
  public @Nullable Outcome<StoredResult> outcome() {
    return ended.getNow(null);
  }

  /**
   * Returns what tells when {@link #outcome} is there, for who must not wait in a thread. What
   * follows it must not run in its thread, which stores the completions of others.
   */
  public CompletionStage<Outcome<StoredResult>> whenEnded() {
    return ended.minimalCompletionStage();
  }

  /** Returns whether the effect is done, as far as this process knows; it may not be stored yet. */
  public boolean isDone() {
    Outcome<StoredResult> outcome = outcome();
    return outcome == null
        ? phase.get() == Phase.COMPLETING
        : outcome instanceof Outcome.Executed || outcome instanceof Outcome.Duplicate;
  }

  /** Takes it out of the way of others if it is open. Returns whether it was. */
  boolean beginRelease() {
    Phase before = phase.get();
    while (OPEN.contains(before)) {
      if (phase.compareAndSet(before, Phase.COMPLETING)) {
        claim.settling();
        return true;
      }
      before = phase.get();
    }
    return false;
  }

  SettleRequest failure(Throwable cause) {
    return new SettleRequest(claim.claim(), ask.policy().settlementOf(cause));
  }

  /** Its failure was stored together with others. */
  void failed(Throwable cause) {
    tellEnd(cause);
    decided(new Outcome.Failed<>(cause));
  }

  HeldClaim claim() {
    return claim;
  }

  Ask ask() {
    return ask;
  }

  CompletableFuture<Outcome<StoredResult>> ended() {
    return ended;
  }

  boolean isLeaseOver() {
    return claim.isOver(claims.clock().nanoTime());
  }

  /** A queued completion was answered. */
  void answered(boolean applied, Holder current) {
    decided(
        applied
            ? new Outcome.Executed<>(null, acquired.token())
            : new Outcome.Fenced<>(null, current));
  }

  /** Listeners are told before whoever waits: then a count is complete when the wait is over. */
  void decided(Outcome<StoredResult> outcome) {
    claims.decided(ask, outcome);
    end(outcome);
  }

  /** It has ended, and nobody is told: given back, or not even started. */
  void end(Outcome<StoredResult> outcome) {
    phase.set(Phase.ENDED);
    claims.ended(this);
    ended.complete(outcome);
  }

  private void tellEnd(@Nullable Throwable failure) {
    Duration elapsed = Duration.ofNanos(claims.clock().nanoTime() - startedNanos);
    claims.tell(new DedupEvent.HandlerEnded(key(), elapsed, failure, ask.delivery().label()));
  }
}
