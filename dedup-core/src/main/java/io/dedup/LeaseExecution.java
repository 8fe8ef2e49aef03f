// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.OnLeaseExpired;
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
 * Claim with a lease, handler, complete. Thread-safe.
 *
 * <p>Once the handler has returned, the effect is done: from there on nothing removes the claim,
 * and what cannot be stored while the lease lasts is left to whoever finds the lease over.
 */
final class LeaseExecution implements Execution {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseExecution.class);
  private static final int RENEWALS_BEFORE_START = 3;

  private final ClaimStore store;
  private final StoreCalls calls;
  private final LeaseKeeper keeper;
  private final LeaseSettling settling;
  private final Transactions transactions;
  private final Runner runner;
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;

  LeaseExecution(
      ClaimStore store,
      StoreCalls calls,
      LeaseKeeper keeper,
      Transactions transactions,
      Listeners listeners,
      String owner) {
    this.store = store;
    this.calls = calls;
    this.keeper = keeper;
    this.settling = new LeaseSettling(calls);
    this.transactions = transactions;
    this.listeners = listeners;
    this.clock = calls.clock();
    this.runner = new Runner(clock, listeners);
    this.owner = owner;
  }

  @Override
  public <T> Outcome<T> execute(Call<T> call) {
    ClaimRequest request = call.claim(calls, owner);
    StoreCalls.Answered answered = calls.claim(store, request);
    return answered
        .answer()
        .fold(
            new Answers<>(
                call, acquired -> underLease(call, request, acquired, answered.sentNanos())));
  }

  private <T> Outcome<T> underLease(
      Call<T> call, ClaimRequest request, ClaimAnswer.Acquired acquired, long sentNanos) {
    HeldClaim held =
        new HeldClaim(
            store, request.claim(acquired.token()), call.policy(), sentNanos, acquired.leaseLeft());
    if (!holds(request, held)) {
      return taken(held);
    }
    keeper.keep(held);
    try {
      Outcome<T> notStarted = beforeStart(call, request, acquired, held);
      return notStarted == null ? run(call, acquired, held) : notStarted;
    } finally {
      if (!held.isDeferred()) {
        keeper.drop(held);
      }
    }
  }

  /** Returns an outcome if the handler must not start. */
  private <T> @Nullable Outcome<T> beforeStart(
      Call<T> call, ClaimRequest request, ClaimAnswer.Acquired acquired, HeldClaim held) {
    EffectProbe probe = call.policy().probe();
    boolean asks = call.policy().onLeaseExpired() == OnLeaseExpired.PROBE && acquired.takenOver();
    if (probe != null && asks) {
      Outcome<T> found = probed(call, held, probe);
      if (found != null) {
        return found;
      }
      // The probe may have taken longer than the lease.
      if (!holds(request, held)) {
        return taken(held);
      }
    }
    // Counted after the probe: what is known to be done is a duplicate, and no dead letter.
    if (acquired.attempt() > call.policy().maxAttempts()) {
      int attempts = acquired.attempt() - 1;
      fail(held, call.policy(), "attempts used up: " + attempts);
      return new Outcome.AttemptsUsedUp<>(attempts);
    }
    return null;
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

  private static <T> Outcome<T> taken(HeldClaim held) {
    Holder current = held.takenBy();
    return new Outcome.InProgress<>(current == null ? "" : current.owner(), Duration.ZERO);
  }

  private <T> @Nullable Outcome<T> probed(Call<T> call, HeldClaim held, EffectProbe probe) {
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
      Outcome<T> stored = complete(call, held, null, done.result());
      return stored instanceof Outcome.Executed<T>
          ? new Outcome.Duplicate<>(
              call.decoded(done.result()),
              DuplicateReason.PROBED,
              call.delivery().origin(),
              calls.storeTime())
          : stored;
    }
    return null;
  }

  private <T> Outcome<T> run(Call<T> call, ClaimAnswer.Acquired acquired, HeldClaim held) {
    T value;
    try {
      value = runner.run(call, new RunContext(held.claim().key(), acquired, new LeaseGrip(held)));
    } catch (CommitIndeterminate e) {
      return indeterminate(held, null, e);
    } catch (LeaseLost e) {
      return new Outcome.Fenced<>(null, e.current());
    } catch (StoreException e) {
      // A store in trouble, met at the point of no return or in a call within this one, is no
      // failure of the handler.
      settling.once(held, new Settlement.Release());
      throw e;
    } catch (Exception e) {
      fail(held, call.policy(), e.toString());
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Outcome.Failed<>(e);
    } catch (Error e) {
      fail(held, call.policy(), e.toString());
      throw e;
    }
    try {
      if (transactions.isActive()) {
        return completeAfterCommit(call, held, value);
      }
    } catch (RuntimeException e) {
      // There is a transaction, and nobody will tell how it ends.
      return indeterminate(held, value, e);
    }
    return complete(call, held, value, encoded(call, value));
  }

  private <T> Outcome<T> complete(
      Call<T> call, HeldClaim held, @Nullable T value, @Nullable StoredResult result) {
    try {
      return settling
          .whileLeaseLasts(held, new Settlement.Complete(result, call.policy().ttl()))
          .fold(
              applied -> new Outcome.Executed<>(value, held.claim().token()),
              fenced -> new Outcome.Fenced<>(value, fenced.current()));
    } catch (StoreException e) {
      return indeterminate(held, value, e);
    }
  }

  /**
   * The handler ran in a transaction of its caller: what it did is not done before that has
   * committed.
   */
  private <T> Outcome<T> completeAfterCommit(Call<T> call, HeldClaim held, @Nullable T value) {
    transactions.afterCompletion(completion -> ended(completion, call, held, value));
    held.defer();
    return new Outcome.Executed<>(value, held.claim().token());
  }

  private <T> void ended(
      Transactions.Completion completion, Call<T> call, HeldClaim held, @Nullable T value) {
    try {
      switch (completion) {
        case COMMITTED -> reportUnlessDone(held, complete(call, held, value, encoded(call, value)));
        case ROLLED_BACK -> settling.once(held, new Settlement.Release());
        case UNKNOWN ->
            indeterminate(
                held, value, new IllegalStateException("the transaction's end is unknown"));
      }
    } finally {
      keeper.drop(held);
    }
  }

  private void reportUnlessDone(HeldClaim held, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Fenced<?> fenced && held.takenBy(fenced.current())) {
      LOG.warn("a transaction committed after its claim was taken over, by {}", fenced.current());
      listeners.tell(new DedupEvent.LeaseTaken(held.claim().key(), fenced.current()));
    }
  }

  private <T> Outcome<T> indeterminate(HeldClaim held, @Nullable T value, Exception cause) {
    LOG.warn("effect done or committed, completion not known to be stored: {}", cause.getMessage());
    listeners.tell(new DedupEvent.SettleIndeterminate(held.claim().key(), cause));
    return new Outcome.Indeterminate<>(value, cause);
  }

  /**
   * The effect is done, so a result that cannot be kept, whatever the codec throws, must not undo
   * its completion.
   */
  private static <T> @Nullable StoredResult encoded(Call<T> call, @Nullable T value) {
    try {
      return call.codec().encode(value);
    } catch (Throwable e) {
      LOG.warn("result cannot be encoded, completing without it", e);
      return null;
    }
  }

  private void fail(HeldClaim held, Policy policy, String error) {
    settling.once(held, new Settlement.Fail(error, policy.failedTtl(), policy.failedBackOff()));
  }

  private final class LeaseGrip implements RunContext.Grip {
    private final HeldClaim held;

    LeaseGrip(HeldClaim held) {
      this.held = held;
    }

    @Override
    public boolean isLost() {
      return held.isOver(clock.nanoTime());
    }

    @Override
    public void confirm() {
      if (!keeper.renewNow(held)) {
        Holder current = held.takenBy();
        throw new LeaseLost(current == null ? Holder.nobody() : current);
      }
    }
  }
}
