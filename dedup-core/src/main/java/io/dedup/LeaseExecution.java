// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
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

  private final ClaimStore store;
  private final StoreCalls calls;
  private final LeaseKeeper keeper;
  private final LeaseSettling settling;
  private final LeaseStart start;
  private final Transactions transactions;
  private final Runner runner;
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;

  LeaseExecution(
      ClaimStore store,
      StoreCalls calls,
      LeaseKeeper keeper,
      LeaseSettling settling,
      LeaseStart start,
      Transactions transactions,
      Listeners listeners,
      String owner) {
    this.store = store;
    this.calls = calls;
    this.keeper = keeper;
    this.settling = settling;
    this.start = start;
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
    keeper.keep(held);
    try {
      Outcome<StoredResult> refusal =
          start.refusal(call.delivery(), call.policy(), request, acquired, held);
      return refusal == null ? run(call, acquired, held) : call.decoded(refusal);
    } finally {
      if (!held.isDeferred()) {
        keeper.drop(held);
      }
    }
  }

  private <T> Outcome<T> run(Call<T> call, ClaimAnswer.Acquired acquired, HeldClaim held) {
    T value;
    try {
      value =
          runner.run(
              call,
              new RunContext(held.claim().key(), acquired, new LeaseGrip(held, keeper, clock)));
    } catch (CommitIndeterminate e) {
      return settling.indeterminate(held, null, e);
    } catch (LeaseLost e) {
      return new Outcome.Fenced<>(null, e.current());
    } catch (StoreException e) {
      // A store in trouble, met at the point of no return or in a call within this one, is no
      // failure of the handler.
      settling.once(held, new Settlement.Release());
      throw e;
    } catch (Exception e) {
      settling.failed(held, call.policy(), e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Outcome.Failed<>(e);
    } catch (Error e) {
      settling.failed(held, call.policy(), e);
      throw e;
    }
    try {
      if (transactions.isActive()) {
        return completeAfterCommit(call, held, value);
      }
    } catch (RuntimeException e) {
      // There is a transaction, and nobody will tell how it ends.
      return settling.indeterminate(held, value, e);
    }
    return settling.completed(held, call.policy(), value, encoded(call, value));
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
        case COMMITTED ->
            reportUnlessDone(
                held, settling.completed(held, call.policy(), value, encoded(call, value)));
        case ROLLED_BACK -> settling.once(held, new Settlement.Release());
        case UNKNOWN ->
            settling.indeterminate(
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
}
