// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Holder;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claim, handler and completion in one database transaction: all of it is stored, or nothing.
 * Thread-safe.
 *
 * <p>A crash leaves no trace then, and so no count of attempts. A suspect delivery is therefore
 * claimed beforehand, in a short transaction of its own, and the same claim is used again in the
 * handler's.
 */
final class TransactionalExecution implements Execution {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalExecution.class);
  private static final int CONFLICTS_MAX = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

  private final ClaimStore store;
  private final ClaimStore inbox;
  private final Transactions transactions;
  private final Front front;
  private final StoreCalls calls;
  private final Runner runner;
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;

  TransactionalExecution(
      ClaimStore store,
      ClaimStore inbox,
      Transactions transactions,
      Front front,
      StoreCalls calls,
      Listeners listeners,
      String owner) {
    this.store = store;
    this.inbox = inbox;
    this.transactions = transactions;
    this.front = front;
    this.calls = calls;
    this.listeners = listeners;
    this.clock = calls.clock();
    this.runner = new Runner(clock, listeners);
    this.owner = owner;
  }

  /**
   * A probe asks an outside system, which is not undone with the transaction: who needs one needs a
   * lease.
   */
  static void check(Policy policy) {
    if (policy.onLeaseExpired() == OnLeaseExpired.PROBE) {
      throw new IllegalArgumentException(
          "on-lease-expired: was PROBE, must be RERUN or HOLD where effects are transactional");
    }
  }

  @Override
  public <T> Outcome<T> execute(Call<T> call) {
    check(call.policy());
    ClaimRequest request = call.ask().claimInTransaction(calls, owner);
    Front.View view = front.look(List.of(request));
    ClaimAnswer known = view.answers().get(request.key());
    if (known != null) {
      return known.fold(new Answers<>(call, acquired -> decided(call, request, view)));
    }
    Outcome<T> outcome = decided(call, request, view);
    if (outcome instanceof Outcome.Duplicate) {
      view.learn(List.of(request));
    }
    return outcome;
  }

  private <T> Outcome<T> decided(Call<T> call, ClaimRequest request, Front.View view) {
    if (!call.delivery().suspect()) {
      return attempt(call, request, view, false);
    }
    return calls
        .claim(store, request)
        .answer()
        .fold(new Answers<>(call, acquired -> suspect(call, request, view, acquired)));
  }

  private <T> Outcome<T> suspect(
      Call<T> call, ClaimRequest request, Front.View view, ClaimAnswer.Acquired acquired) {
    if (acquired.attempt() > call.policy().maxAttempts()) {
      int attempts = acquired.attempt() - 1;
      fail(call, request, "attempts used up: " + attempts, true);
      return new Outcome.AttemptsUsedUp<>(attempts);
    }
    try {
      Outcome<T> outcome = attempt(call, request, view, true);
      if (outcome instanceof Outcome.InProgress) {
        // A rival's transaction was in the way of ours, and the claim made beforehand is ours
        // still.
        calls.keepUnused(request);
      }
      return outcome;
    } catch (StoreException e) {
      // The transaction is undone, and the claim made beforehand is there still.
      calls.keepUnused(request);
      throw e;
    }
  }

  /** Tries the transaction, and again as a whole while the database ends it in favour of others. */
  private <T> Outcome<T> attempt(
      Call<T> call, ClaimRequest request, Front.View view, boolean claimedBefore) {
    Duration pause = FIRST_PAUSE;
    for (int i = 1; ; i++) {
      try {
        return once(call, request, view, claimedBefore);
      } catch (TransactionConflict e) {
        LOG.debug("transaction conflict {} of {}", i, CONFLICTS_MAX);
        if (i == CONFLICTS_MAX) {
          throw new StoreUnavailable("the database ended the transaction " + i + " times", e);
        }
        pause(pause, e);
        pause = pause.multipliedBy(2);
      }
    }
  }

  private <T> Outcome<T> once(
      Call<T> call, ClaimRequest request, Front.View view, boolean claimedBefore) {
    Progress progress = new Progress();
    Outcome<T> outcome = inTransaction(call, request, claimedBefore, progress);
    if (outcome instanceof Outcome.Executed && progress.done != null) {
      // Here and nowhere else is the commit known to have succeeded.
      view.remember(List.of(progress.done));
    }
    return outcome;
  }

  private <T> Outcome<T> inTransaction(
      Call<T> call, ClaimRequest request, boolean claimedBefore, Progress progress) {
    try {
      return transactions.inTransaction(
          () -> {
            progress.begun = true;
            Outcome<T> outcome =
                calls
                    .claim(inbox, request)
                    .answer()
                    .fold(
                        new Answers<>(
                            call,
                            acquired -> {
                              progress.claimed = true;
                              return run(call, request, acquired, progress);
                            }));
            progress.returned = true;
            return outcome;
          });
    } catch (HandlerThrew e) {
      return handlerThrew(call, request, e.failure, claimedBefore);
    } catch (CompletionFenced e) {
      return new Outcome.Fenced<>(null, e.current);
    } catch (CommitIndeterminate e) {
      if (!progress.claimed) {
        throw new StoreUnavailable("the answer to a commit without changes was lost", e);
      }
      listeners.tell(new DedupEvent.SettleIndeterminate(call.delivery().key(), e));
      return new Outcome.Indeterminate<>(null, e);
    } catch (StoreException | TransactionConflict e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (progress.claimed && progress.returned) {
        // The commit was refused, by a deferred constraint for example: the handler's writes are
        // what is wrong.
        fail(call, request, e.toString(), claimedBefore);
        return new Outcome.Failed<>(e);
      }
      throw new StoreUnavailable(
          progress.begun ? "the transaction broke" : "no transaction could begin", e);
    }
  }

  private <T> Outcome<T> handlerThrew(
      Call<T> call, ClaimRequest request, Throwable failure, boolean claimedBefore) {
    if (failure instanceof TransactionConflict conflict) {
      throw conflict;
    }
    if (failure instanceof StoreException trouble) {
      // Met in a call within this one: no failure of the handler.
      throw trouble;
    }
    fail(call, request, failure.toString(), claimedBefore);
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new Outcome.Failed<>(failure);
  }

  private <T> Outcome<T> run(
      Call<T> call, ClaimRequest request, ClaimAnswer.Acquired acquired, Progress progress) {
    RunContext context = new RunContext(request.key(), acquired, DatabaseGrip.INSTANCE);
    T value;
    Settlement.Complete completion;
    try {
      value = runner.run(call, context);
      completion = new Settlement.Complete(call.codec().encode(value), call.policy().ttl());
    } catch (Throwable e) {
      throw new HandlerThrew(e);
    }
    SettleRequest settlement = new SettleRequest(request.claim(acquired.token()), completion);
    Exchange exchange = calls.settleTimed(inbox, List.of(settlement));
    if (exchange.settled().get(0) instanceof SettleAnswer.Fenced fenced) {
      throw new CompletionFenced(fenced.current());
    }
    progress.done = new Front.Done(request, acquired.token(), completion, exchange.storeTime());
    return new Outcome.Executed<>(value, acquired.token());
  }

  /**
   * Remembers a failure, if anybody will ask for it. The transaction that claimed the key is gone,
   * so unless the claim was made beforehand it is made again; should somebody else have the key by
   * now, there is nothing to remember.
   */
  private void fail(Call<?> call, ClaimRequest request, String error, boolean claimedBefore) {
    Policy policy = call.policy();
    boolean asked = policy.onFailed() == OnFailed.REPORT || !policy.failedBackOff().isZero();
    if (!asked && !claimedBefore) {
      return;
    }
    try {
      ClaimAnswer answer = calls.claim(store, request).answer();
      if (answer instanceof ClaimAnswer.Acquired acquired) {
        Settlement failure = new Settlement.Fail(error, policy.failedTtl(), policy.failedBackOff());
        calls.settle(store, new SettleRequest(request.claim(acquired.token()), failure));
      }
    } catch (StoreException | TransactionConflict e) {
      LOG.warn("failure not remembered, the next delivery runs: {}", e.getMessage());
    }
  }

  private void pause(Duration pause, TransactionConflict conflict) {
    try {
      clock.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("interrupted after a transaction conflict", conflict);
    }
  }

  /** How far a transaction came, to tell whose failure it is. Confined to a thread. */
  private static final class Progress {
    private boolean begun;
    private boolean claimed;
    private boolean returned;
    private Front.@Nullable Done done;
  }

  /**
   * Carries the handler's exception through the transaction, so that it is told apart from the
   * database's.
   */
  private static final class HandlerThrew extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Throwable failure;

    HandlerThrew(Throwable failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** Rolls the transaction back. */
  private static final class CompletionFenced extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Holder current;

    CompletionFenced(Holder current) {
      super("claim taken over");
      this.current = current;
    }
  }
}
