// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.OnLeaseExpired;
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
  private final Transactions transactions;
  private final Front front;
  private final StoreCalls calls;
  private final InboxSteps steps;
  private final Listeners listeners;
  private final ProcessClock clock;
  private final String owner;

  TransactionalExecution(
      ClaimStore store,
      Transactions transactions,
      Front front,
      StoreCalls calls,
      InboxSteps steps,
      Listeners listeners,
      String owner) {
    this.store = store;
    this.transactions = transactions;
    this.front = front;
    this.calls = calls;
    this.steps = steps;
    this.listeners = listeners;
    this.clock = calls.clock();
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
      Policy policy = call.policy();
      steps.remember(
          request,
          new Settlement.Fail(
              "attempts used up: " + attempts, policy.failedTtl(), policy.failedBackOff()));
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
                steps.claim(
                    call,
                    request,
                    acquired -> {
                      progress.claimed = true;
                      return steps.run(call, request, acquired, done -> progress.done = done);
                    });
            progress.returned = true;
            return outcome;
          });
    } catch (InboxSteps.HandlerThrew e) {
      Throwable failure = e.ownFailure();
      fail(call, request, failure, claimedBefore);
      return InboxSteps.HandlerThrew.outcome(failure);
    } catch (InboxSteps.CompletionFenced e) {
      return new Outcome.Fenced<>(null, e.current());
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
        fail(call, request, e, claimedBefore);
        return new Outcome.Failed<>(e);
      }
      throw new StoreUnavailable(
          progress.begun ? "the transaction broke" : "no transaction could begin", e);
    }
  }

  /** Remembers a failure, if anybody will ask for it or the claim was made beforehand. */
  private void fail(Call<?> call, ClaimRequest request, Throwable failure, boolean claimedBefore) {
    if (claimedBefore || InboxSteps.isAskedFor(call.policy(), failure)) {
      steps.remember(request, call.policy().settlementOf(failure));
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
}
