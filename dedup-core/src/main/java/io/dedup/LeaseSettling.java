// SPDX-License-Identifier: Apache-2.0
package io.dedup;

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
 * Stores what became of a claim: that its effect is done, as long as the lease lasts; that nothing
 * was done, once. Thread-safe.
 *
 * <p>Many clients send nothing in an interrupted thread. What a handler has done must not be done
 * again for that reason, so an interrupt is put aside while a settlement is sent, and is there
 * again afterwards.
 */
final class LeaseSettling {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseSettling.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final StoreCalls calls;
  private final Listeners listeners;
  private final ProcessClock clock;

  LeaseSettling(StoreCalls calls, Listeners listeners) {
    this.calls = calls;
    this.listeners = listeners;
    this.clock = calls.clock();
  }

  /** Stores that the effect is done. Returns what that means for the run. */
  <T> Outcome<T> completed(
      HeldClaim held, Policy policy, @Nullable T value, @Nullable StoredResult result) {
    try {
      return whileLeaseLasts(held, new Settlement.Complete(result, policy.ttl()))
          .fold(
              applied -> new Outcome.Executed<>(value, held.claim().token()),
              fenced -> new Outcome.Fenced<>(value, fenced.current()));
    } catch (StoreException e) {
      return indeterminate(held, value, e);
    }
  }

  /** The effect is done, or may be, and nobody knows whether that is stored. */
  <T> Outcome<T> indeterminate(HeldClaim held, @Nullable T value, Exception cause) {
    LOG.warn("effect done or committed, completion not known to be stored: {}", cause.getMessage());
    listeners.tell(new DedupEvent.SettleIndeterminate(held.claim().key(), cause));
    return new Outcome.Indeterminate<>(value, cause);
  }

  /** Stores what the handler threw, as far as the policy is to remember it, once. */
  void failed(HeldClaim held, Policy policy, Throwable failure) {
    once(held, policy.settlementOf(failure));
  }

  /** Stores that there is no use in trying, once. */
  void fail(HeldClaim held, Policy policy, String error) {
    once(held, new Settlement.Fail(error, policy.failedTtl(), policy.failedBackOff()));
  }

  /**
   * Stores the completion of an effect that is done. An interrupted thread tries as well, and does
   * not wait to try again.
   *
   * @throws StoreException if it is not known to be stored
   */
  SettleAnswer whileLeaseLasts(HeldClaim held, Settlement.Complete completion) {
    held.settling();
    SettleRequest request = new SettleRequest(held.claim(), completion);
    Duration pause = FIRST_PAUSE;
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return calls.settle(held.store(), request);
        } catch (StoreUnavailable e) {
          if (interrupted || held.isOver(clock.nanoTime())) {
            throw e;
          }
          interrupted = !slept(pause);
          pause = longer(pause);
        }
      }
    } finally {
      putBack(interrupted);
    }
  }

  /** Nothing was done, so nothing is lost if this is not stored: the lease ends by itself. */
  void once(HeldClaim held, Settlement settlement) {
    held.settling();
    boolean interrupted = Thread.interrupted();
    try {
      calls.settle(held.store(), new SettleRequest(held.claim(), settlement));
    } catch (StoreException e) {
      LOG.warn("claim not given back, its lease will end: {}", e.getMessage());
    } finally {
      putBack(interrupted);
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  private boolean slept(Duration pause) {
    try {
      clock.sleep(pause);
      return true;
    } catch (InterruptedException e) {
      // The caller remembers it: one more try, and the flag is set again.
      return false;
    }
  }

  private static void putBack(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
