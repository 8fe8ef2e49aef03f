// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claim with a lease, handler, complete. Thread-safe.
 *
 * <p>Once the handler has returned, the effect is done: from there on nothing removes the claim, and what cannot be stored
 * while the lease lasts is left to whoever finds the lease over.
 */
final class LeaseExecution implements Execution {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseExecution.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ClaimStore store;
  private final StoreCalls calls;
  private final LeaseKeeper keeper;
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
    this.transactions = transactions;
    this.listeners = listeners;
    this.clock = calls.clock();
    this.runner = new Runner(clock, listeners);
    this.owner = owner;
  }

  @Override
  public <T> Outcome<T> execute(Call<T> call) {
    ClaimRequest request = call.claim(calls, owner);
    long sent = clock.nanoTime();
    ClaimAnswer answer = calls.claim(store, request);
    return answer.fold(new Answers<>(call, acquired -> acquired(call, request, acquired, sent)));
  }

  private <T> Outcome<T> acquired(
      Call<T> call, ClaimRequest request, ClaimAnswer.Acquired acquired, long sentNanos) {
    Claim claim = request.claim(acquired.token());
    HeldClaim held = new HeldClaim(store, claim, call.policy(), sentNanos);
    keeper.keep(held);
    try {
      return underLease(call, acquired, held);
    } finally {
      if (!held.isDeferred()) {
        keeper.drop(held);
      }
    }
  }

  private <T> Outcome<T> underLease(
      Call<T> call, ClaimAnswer.Acquired acquired, HeldClaim held) {
    if (acquired.attempt() > call.policy().maxAttempts()) {
      int attempts = acquired.attempt() - 1;
      fail(held, call.policy(), "attempts used up: " + attempts);
      return new Outcome.AttemptsUsedUp<>(attempts);
    }
    Outcome<T> notStarted = beforeStart(call, acquired, held);
    if (notStarted != null) {
      return notStarted;
    }
    T value;
    try {
      value = runner.run(call, new RunContext(held.claim().key(), acquired, new LeaseGrip(held)));
    } catch (CommitIndeterminate e) {
      return indeterminate(held, null, e);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      fail(held, call.policy(), e.toString());
      return new Outcome.Failed<>(e);
    } catch (Error e) {
      fail(held, call.policy(), e.toString());
      throw e;
    }
    return transactions.isActive()
        ? completeAfterCommit(call, held, value)
        : complete(call, held, value);
  }

  /** Returns an outcome if the handler must not start. */
  private <T> @Nullable Outcome<T> beforeStart(
      Call<T> call, ClaimAnswer.Acquired acquired, HeldClaim held) {
    if (!held.mayStart(clock.nanoTime()) && !keeper.renewNow(held)) {
      Holder current = held.takenBy();
      return new Outcome.InProgress<>(current == null ? "" : current.owner(), Duration.ZERO);
    }
    EffectProbe probe = call.policy().probe();
    boolean asks = call.policy().onLeaseExpired() == OnLeaseExpired.PROBE && acquired.takenOver();
    return probe != null && asks ? probed(call, held, probe) : null;
  }

  private <T> @Nullable Outcome<T> probed(Call<T> call, HeldClaim held, EffectProbe probe) {
    EffectProbe.Finding finding;
    try {
      finding = probe.probe(held.claim().key());
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      // Neither failed nor released: the key stays in doubt, and whoever finds the lease over asks again.
      LOG.warn("probe failed, the key stays in doubt", e);
      return new Outcome.InDoubt<>(owner, held.claim().token(), clock.now());
    }
    if (finding instanceof EffectProbe.Finding.Done done) {
      Outcome<T> stored = complete(call, held, call.codec().decode(done.result()), done.result());
      return stored instanceof Outcome.Executed<T> executed
          ? new Outcome.Duplicate<>(
              executed.value(), DuplicateReason.PROBED, call.delivery().origin(), clock.now())
          : stored;
    }
    return null;
  }

  private <T> Outcome<T> complete(Call<T> call, HeldClaim held, @Nullable T value) {
    return complete(call, held, value, encoded(call, value));
  }

  private <T> Outcome<T> complete(
      Call<T> call, HeldClaim held, @Nullable T value, @Nullable StoredResult result) {
    held.settling();
    Settlement completion = new Settlement.Complete(result, call.policy().ttl());
    try {
      return settleWhileLeaseLasts(held, completion)
          .fold(
              applied -> new Outcome.Executed<>(value, held.claim().token()),
              fenced -> new Outcome.Fenced<>(value, fenced.current()));
    } catch (StoreException e) {
      return indeterminate(held, value, e);
    }
  }

  /** The handler ran in a transaction of its caller: what it did is not done before that has committed. */
  private <T> Outcome<T> completeAfterCommit(Call<T> call, HeldClaim held, @Nullable T value) {
    held.defer();
    transactions.afterCompletion(
        completion -> {
          try {
            switch (completion) {
              case COMMITTED -> reportUnlessDone(held, complete(call, held, value));
              case ROLLED_BACK -> settleOnce(held, new Settlement.Release());
              case UNKNOWN ->
                  listeners.tell(
                      new DedupEvent.SettleIndeterminate(
                          held.claim().key(),
                          new IllegalStateException("the transaction's end is unknown")));
            }
          } finally {
            keeper.drop(held);
          }
        });
    return new Outcome.Executed<>(value, held.claim().token());
  }

  private void reportUnlessDone(HeldClaim held, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Fenced<?> fenced) {
      LOG.warn("a transaction committed after its claim was taken over, by {}", fenced.current());
      listeners.tell(new DedupEvent.LeaseTaken(held.claim().key(), fenced.current()));
    }
  }

  private <T> Outcome<T> indeterminate(HeldClaim held, @Nullable T value, Exception cause) {
    LOG.warn("effect done, completion not stored: {}", cause.getMessage());
    listeners.tell(new DedupEvent.SettleIndeterminate(held.claim().key(), cause));
    return new Outcome.Indeterminate<>(value, cause);
  }

  /** The effect is done, so a result that cannot be kept must not undo its completion. */
  private static <T> @Nullable StoredResult encoded(Call<T> call, @Nullable T value) {
    try {
      return call.codec().encode(value);
    } catch (RuntimeException e) {
      LOG.warn("result cannot be encoded, completing without it", e);
      return null;
    }
  }

  private SettleAnswer settleWhileLeaseLasts(HeldClaim held, Settlement settlement) {
    SettleRequest request = new SettleRequest(held.claim(), settlement);
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return calls.settle(store, request);
      } catch (StoreUnavailable e) {
        if (held.isOver(clock.nanoTime()) || !slept(pause)) {
          throw e;
        }
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
      }
    }
  }

  private boolean slept(Duration pause) {
    try {
      clock.sleep(pause);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void fail(HeldClaim held, Policy policy, String error) {
    settleOnce(held, new Settlement.Fail(error, policy.failedTtl(), policy.failedBackOff()));
  }

  /** Nothing was done, so nothing is lost if this is not stored: the lease ends by itself. */
  private void settleOnce(HeldClaim held, Settlement settlement) {
    held.settling();
    try {
      calls.settle(store, new SettleRequest(held.claim(), settlement));
    } catch (StoreException e) {
      LOG.warn("claim not given back, its lease will end: {}", e.getMessage());
    }
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
