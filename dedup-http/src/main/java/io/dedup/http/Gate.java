// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.Delivery;
import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims the key of a request, and says what the request gets. Thread-safe. */
final class Gate {

  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Claims claims;
  private final ProcessClock clock;
  private final Duration retryAfterMax;

  Gate(Claims claims, ProcessClock clock, Duration retryAfterMax) {
    this.claims = claims;
    this.clock = clock;
    this.retryAfterMax = retryAfterMax;
  }

  /** Asks for the key of {@code delivery}, and waits in this thread where the operation waits. */
  Answer ask(Operation operation, Delivery delivery, OutcomeAnswers answers) {
    long deadline = clock.nanoTime() + operation.waitFor().toNanos();
    return Objects.requireNonNull(
        answered(operation, delivery, answers, ask -> waiting(ask, deadline)));
  }

  /**
   * Asks for the key of {@code delivery}, and does not wait.
   *
   * @param mayComeAgain whether there is time left to ask again
   * @return null if another has the key, and it is worth to ask again
   */
  @Nullable Answer askOnce(
      Operation operation, Delivery delivery, OutcomeAnswers answers, boolean mayComeAgain) {
    return answered(operation, delivery, answers, ask -> once(ask, mayComeAgain));
  }

  private @Nullable Answer answered(
      Operation operation,
      Delivery delivery,
      OutcomeAnswers answers,
      Function<Ask, @Nullable Found> asking) {
    // The handler starts as soon as the key is ours, so the claim counts as its start.
    Ask ask = new Ask(delivery.asSuspect(), operation.policy());
    Found found;
    try {
      found = asking.apply(ask);
    } catch (StoreException e) {
      // Only a store that did not answer may be passed by: one that answered what cannot be read
      // may have said "done".
      if (operation.onStoreFailure() == OnStoreFailure.FAIL_OPEN && e instanceof StoreUnavailable) {
        LOG.warn("the store is down, a request runs unguarded: {}", e.getMessage());
        return new Answer.Bypass();
      }
      return refused(e);
    }
    if (found == null) {
      return null;
    }
    if (found instanceof Found.Ours ours) {
      return new Answer.Run(ours.held());
    }
    try {
      return ((Found.Theirs) found).outcome().fold(answers);
    } catch (StoreException e) {
      // It is done, and what it answered is kept elsewhere: nothing that may run again.
      return refused(e);
    }
  }

  private Answer refused(StoreException trouble) {
    LOG.warn("the store is in trouble, a request is refused: {}", trouble.getMessage());
    return new Answer.Refuse(
        Problem.retryAfter(ProblemCode.STORE_UNAVAILABLE, retryAfterMax),
        RequestOutcome.STORE_ERROR);
  }

  /** What became of a claim. */
  private sealed interface Found {
    /** The key is ours, and the handler may start. */
    record Ours(Held held) implements Found {}

    /** It is not. */
    record Theirs(Outcome<StoredResult> outcome) implements Found {}
  }

  private @Nullable Found once(Ask ask, boolean mayComeAgain) {
    Claimed claimed = claims.claim(List.of(ask)).get(0);
    Outcome<StoredResult> outcome = outcome(claimed, ask);
    if (outcome == null) {
      return new Found.Ours(((Claimed.Acquired) claimed).held());
    }
    if (mayComeAgain && outcome instanceof Outcome.InProgress) {
      return null;
    }
    claims.decided(ask, outcome);
    return new Found.Theirs(outcome);
  }

  private Found waiting(Ask ask, long deadline) {
    while (true) {
      Claimed claimed = claims.claim(List.of(ask)).get(0);
      Outcome<StoredResult> outcome = outcome(claimed, ask);
      if (outcome == null) {
        return new Found.Ours(((Claimed.Acquired) claimed).held());
      }
      boolean busy = outcome instanceof Outcome.InProgress;
      if (!busy || !waited(claimed, Duration.ofNanos(deadline - clock.nanoTime()))) {
        claims.decided(ask, outcome);
        return new Found.Theirs(outcome);
      }
    }
  }

  /** Returns null if the handler may start. */
  private static @Nullable Outcome<StoredResult> outcome(Claimed claimed, Ask ask) {
    return claimed.<@Nullable Outcome<StoredResult>>fold(
        acquired -> acquired.held().start(),
        here -> new Outcome.InProgress<>("", ask.policy().lease()),
        Claimed.Answered::outcome,
        unreadable -> {
          throw unreadable.cause();
        });
  }

  /**
   * Lets another get on, in this process by its end, elsewhere by a pause. Returns whether it is
   * worth asking again.
   */
  private boolean waited(Claimed claimed, Duration left) {
    if (left.isNegative() || left.isZero()) {
      return false;
    }
    if (claimed instanceof Claimed.HeldHere here) {
      return claims.settle(Set.of(here.held()), left);
    }
    try {
      clock.sleep(left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
