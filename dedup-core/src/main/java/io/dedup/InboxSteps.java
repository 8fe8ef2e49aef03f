// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Holder;
import io.dedup.claim.HotKeys;
import io.dedup.claim.OnFailed;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done within a transaction, whoever began it, and what of it is remembered when it is
 * undone. Thread-safe.
 */
final class InboxSteps {

  private static final Logger LOG = LoggerFactory.getLogger(InboxSteps.class);

  private final ClaimStore store;
  private final ClaimStore inbox;
  private final StoreCalls calls;
  private final Runner runner;
  private final @Nullable HotKeys hot;

  /**
   * Makes the steps.
   *
   * @param store sees what is committed, in transactions of its own
   * @param inbox takes part in the transaction of the thread
   * @param hot is told what the inbox answers; null where that may be what the same transaction has
   *     written, and not committed yet
   */
  InboxSteps(
      ClaimStore store,
      ClaimStore inbox,
      StoreCalls calls,
      Listeners listeners,
      @Nullable HotKeys hot) {
    this.store = store;
    this.inbox = inbox;
    this.calls = calls;
    this.hot = hot;
    this.runner = new Runner(calls.clock(), listeners);
  }

  /** Claims the key, and runs if it is ours. */
  <T> Outcome<T> claim(
      Call<T> call, ClaimRequest request, Function<ClaimAnswer.Acquired, Outcome<T>> run) {
    HotKeys.Asked asked = hot == null ? null : hot.asking(request);
    ClaimAnswer answer = calls.claim(inbox, request).answer();
    Instant storeTime = calls.knownStoreTime();
    if (hot != null && asked != null && storeTime != null && answer instanceof Completed) {
      hot.learn(asked, answer, storeTime);
    }
    return answer.fold(new Answers<>(call, run));
  }

  /**
   * Runs the handler and completes its key.
   *
   * @param done is told what is done once the transaction has committed
   * @throws HandlerThrew what the handler or the codec threw
   * @throws CompletionFenced if another has the key
   */
  <T> Outcome<T> run(
      Call<T> call,
      ClaimRequest request,
      ClaimAnswer.Acquired acquired,
      Consumer<Front.Done> done) {
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
    done.accept(new Front.Done(request, acquired.token(), completion, exchange.storeTime()));
    return new Outcome.Executed<>(value, acquired.token());
  }

  /** Returns whether anybody will ask for this failure. */
  static boolean isAskedFor(Policy policy, Throwable failure) {
    boolean asked = policy.onFailed() == OnFailed.REPORT || !policy.failedBackOff().isZero();
    return asked && policy.remembers(failure);
  }

  /**
   * Remembers a failure. The transaction that claimed the key is gone, so unless the claim was made
   * beforehand it is made again; should somebody else have the key by now, there is nothing to
   * remember.
   */
  void remember(ClaimRequest request, Settlement failure) {
    try {
      if (calls.claim(store, request).answer() instanceof ClaimAnswer.Acquired acquired) {
        calls.settle(store, new SettleRequest(request.claim(acquired.token()), failure));
      }
    } catch (StoreException | TransactionConflict e) {
      LOG.warn("failure not remembered, the next delivery runs: {}", e.getMessage());
    }
  }

  /**
   * Carries the handler's exception through the transaction, so that it is told apart from the
   * database's.
   */
  static final class HandlerThrew extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Throwable failure;

    private HandlerThrew(Throwable failure) {
      super(failure);
      this.failure = failure;
    }

    Throwable failure() {
      return failure;
    }

    /**
     * Returns the failure, if it is the handler's own.
     *
     * @throws RuntimeException what the handler threw, if that is trouble with the database
     */
    Throwable ownFailure() {
      if (failure instanceof TransactionConflict conflict) {
        throw conflict;
      }
      if (failure instanceof StoreException trouble) {
        // Met in a call within this one: no failure of the handler.
        throw trouble;
      }
      return failure;
    }

    /** Returns the outcome of a call whose handler failed. */
    static <T> Outcome<T> outcome(Throwable failure) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Outcome.Failed<>(failure);
    }
  }

  /** Rolls the transaction back. */
  static final class CompletionFenced extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Holder current;

    private CompletionFenced(Holder current) {
      super("claim taken over");
      this.current = current;
    }

    Holder current() {
      return current;
    }
  }
}
