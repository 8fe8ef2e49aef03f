// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.DedupContext;
import io.dedup.Delivery;
import io.dedup.EffectNotDone;
import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.ResultUnavailable;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls whose effect is done when the future that they return completes: the key is completed then,
 * and only after that the caller's future. Thread-safe.
 *
 * <p>Keys are claimed, and waited for, in the thread of the call. They are settled in threads of
 * ours, since those that complete futures must not wait for a store. A caller who cancels its
 * future cancels nothing else.
 */
final class AsyncCalls {

  private static final Logger LOG = LoggerFactory.getLogger(AsyncCalls.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Executor executor;
  private final ProcessClock clock = ProcessClock.system();

  /**
   * Makes the calls.
   *
   * @param executor settles
   */
  AsyncCalls(Executor executor) {
    this.executor = executor;
  }

  /** Starts what ends with a future. */
  interface Start {
    @Nullable CompletionStage<?> start(DedupContext context) throws Exception;
  }

  /** Calls a method that returns a future. What it throws itself is thrown here. */
  CompletableFuture<Object> future(
      MethodGuard guard, Delivery delivery, IdempotentInterceptor.Run run) throws Exception {
    return call(guard, delivery, context -> (CompletionStage<?>) run.proceed(context));
  }

  CompletableFuture<Object> call(MethodGuard guard, Delivery delivery, Start start)
      throws Exception {
    Claims claims = guard.deduplicator().claims();
    Ask ask = new Ask(delivery, guard.policy());
    Decision decision = waited(claims, ask);
    if (decision.held() != null) {
      return run(guard, ask, decision.held(), start);
    }
    claims.decided(ask, decision.outcome(), decision.waited());
    return answered(guard, decision.outcome());
  }

  /** A key that is ours, or what it is instead. */
  private record Decision(@Nullable Held held, Outcome<StoredResult> outcome, Duration waited) {}

  private Decision waited(Claims claims, Ask ask) {
    long started = clock.nanoTime();
    Duration atMost = ask.policy().inProgressWait();
    while (true) {
      Claimed claimed = claims.claim(List.of(ask)).get(0);
      if (claimed instanceof Claimed.Acquired acquired) {
        return new Decision(acquired.held(), new Outcome.InProgress<>("", Duration.ZERO), atMost);
      }
      Outcome<StoredResult> outcome = outcome(claimed, ask);
      Duration waited = Duration.ofNanos(clock.nanoTime() - started);
      Duration left = atMost.minus(waited);
      if (!(outcome instanceof Outcome.InProgress) || left.isNegative() || left.isZero()) {
        return new Decision(null, outcome, atMost.isZero() ? Duration.ZERO : waited);
      }
      try {
        clock.sleep(left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Decision(null, outcome, waited);
      }
    }
  }

  private static Outcome<StoredResult> outcome(Claimed claimed, Ask ask) {
    if (claimed instanceof Claimed.Unreadable unreadable) {
      throw unreadable.cause();
    }
    return claimed instanceof Claimed.Answered answered
        ? answered.outcome()
        : new Outcome.InProgress<>("", ask.policy().lease());
  }

  private CompletableFuture<Object> run(MethodGuard guard, Ask ask, Held held, Start start)
      throws Exception {
    Outcome<StoredResult> refusal = held.start();
    if (refusal != null) {
      guard.deduplicator().claims().decided(ask, refusal);
      return answered(guard, refusal);
    }
    CompletionStage<?> started;
    try {
      started = start.start(held.context());
    } catch (Throwable e) {
      held.fail(e);
      throw e;
    }
    CompletableFuture<Object> answer = new CompletableFuture<>();
    CompletionStage<?> stage = started == null ? CompletableFuture.completedStage(null) : started;
    var unused =
        stage.handleAsync(
            (value, failure) -> {
              settle(guard, held, value, failure, answer);
              return null;
            },
            executor);
    return answer;
  }

  private static void settle(
      MethodGuard guard,
      Held held,
      @Nullable Object value,
      @Nullable Throwable failure,
      CompletableFuture<Object> answer) {
    try {
      if (failure == null) {
        done(answer, value, held.completeNow(encoded(guard, value)));
      } else {
        Throwable cause = cause(failure);
        Outcome<StoredResult> outcome = held.fail(cause);
        boolean own = outcome instanceof Outcome.Failed || cause instanceof StoreException;
        failed(answer, own ? cause : new EffectNotDone(outcome));
      }
    } catch (Throwable e) {
      failed(answer, e);
    }
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** The effect is done, so a result that cannot be kept must not undo its completion. */
  private static @Nullable StoredResult encoded(MethodGuard guard, @Nullable Object value) {
    try {
      return guard.codec().encode(value);
    } catch (Throwable e) {
      LOG.warn("result cannot be encoded, completing without it", e);
      return null;
    }
  }

  private static CompletableFuture<Object> answered(
      MethodGuard guard, Outcome<StoredResult> outcome) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    try {
      StoredResult stored = outcome.orElseThrow();
      answer.complete(guard.codec().decode(stored));
    } catch (EffectNotDone | StoreException e) {
      answer.completeExceptionally(e);
    } catch (ResultUnavailable | IllegalArgumentException e) {
      answer.completeExceptionally(
          new StoreCorrupt("result: must be what the codec of the call reads", e));
    }
    return answer;
  }

  private static void done(
      CompletableFuture<Object> answer, @Nullable Object value, Outcome<StoredResult> outcome) {
    if (outcome instanceof Outcome.Executed) {
      // What callers do then must not keep our threads from settling.
      answer.completeAsync(() -> value);
    } else {
      failed(answer, new EffectNotDone(outcome));
    }
  }

  private static void failed(CompletableFuture<Object> answer, Throwable failure) {
    var unused = CompletableFuture.runAsync(() -> answer.completeExceptionally(failure));
  }
}
