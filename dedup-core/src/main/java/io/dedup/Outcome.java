// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Holder;
import io.dedup.claim.Origin;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a delivery. Only {@link Executed} and {@link Duplicate} mean that the effect is
 * done and that the delivery may be acknowledged. Trouble with the store is none of these: it is a
 * {@link io.dedup.claim.StoreException}.
 *
 * @param <T> what the effect answers
 */
public sealed interface Outcome<T> {

  /**
   * The handler ran, and its completion is stored; within a transaction of the caller's, it will be
   * once that has committed.
   *
   * @param value what it answered
   * @param token the claim's fencing token
   */
  record Executed<T>(@Nullable T value, long token) implements Outcome<T> {}

  /**
   * The effect had been done before.
   *
   * @param value what it answered, null if that was not kept
   * @param reason how it came to be delivered again
   * @param origin of the delivery that did it; found by a probe, of this one
   * @param completed when it was done, by the store's clock
   */
  record Duplicate<T>(@Nullable T value, DuplicateReason reason, Origin origin, Instant completed)
      implements Outcome<T> {}

  /**
   * Another has the key, or a failure's back-off runs: come again.
   *
   * @param owner who has it
   * @param leaseLeft how long at least
   */
  record InProgress<T>(String owner, Duration leaseLeft) implements Outcome<T> {}

  /**
   * The key stands for another message.
   *
   * @param stored the fingerprint of that message
   * @param offered the fingerprint of this one
   */
  record Conflict<T>(Fingerprint stored, Fingerprint offered) implements Outcome<T> {}

  /**
   * The handler failed now.
   *
   * @param cause what it threw
   */
  record Failed<T>(Throwable cause) implements Outcome<T> {}

  /**
   * The handler failed at an earlier delivery, and the policy is to report it.
   *
   * @param error the stored failure
   */
  record FailedBefore<T>(String error) implements Outcome<T> {}

  /**
   * The handler was not started: too many runs in a row ended without an answer. The key counts as
   * failed from now on.
   *
   * @param attempts how many
   */
  record AttemptsUsedUp<T>(int attempts) implements Outcome<T> {}

  /**
   * A worker was lost, its effect may be done, and the policy is to wait until somebody has looked.
   *
   * @param owner the lost worker, or who could not find out whether its effect is done
   * @param token of that one's claim, which {@link io.dedup.claim.ClaimStore#resolve} asks for
   * @param since when its lease ended, or when it could not be found out, by the store's clock
   */
  record InDoubt<T>(String owner, long token, Instant since) implements Outcome<T> {}

  /** The key must have been handed out before, and was not. */
  record NotIssued<T>() implements Outcome<T> {}

  /**
   * The handler ran, and meanwhile another got the key: this run does not count.
   *
   * @param value what it answered, null if it stopped or was undone
   * @param current who the key belongs to
   */
  record Fenced<T>(@Nullable T value, Holder current) implements Outcome<T> {}

  /**
   * The handler ran, and it is not known whether its completion is stored. The next claim of the
   * key tells.
   *
   * @param value what it answered, null if that was lost as well
   * @param cause what went wrong
   */
  record Indeterminate<T>(@Nullable T value, Throwable cause) implements Outcome<T> {}

  /**
   * Returns whether the effect is known to be done: the delivery may be acknowledged, once the
   * transaction around the call has committed if there is one.
   */
  default boolean isDone() {
    return this instanceof Executed || this instanceof Duplicate;
  }

  /**
   * Returns what the effect answered, now or before.
   *
   * @throws EffectNotDone if the effect is not known to be done
   */
  default @Nullable T orElseThrow() {
    if (this instanceof Executed<T> executed) {
      return executed.value();
    }
    if (this instanceof Duplicate<T> duplicate) {
      return duplicate.value();
    }
    throw new EffectNotDone(this);
  }

  /** Returns the result of the case that fits. */
  default <R> R fold(Cases<T, R> cases) {
    if (this instanceof Executed<T> o) {
      return cases.executed(o);
    }
    if (this instanceof Duplicate<T> o) {
      return cases.duplicate(o);
    }
    if (this instanceof InProgress<T> o) {
      return cases.inProgress(o);
    }
    if (this instanceof Conflict<T> o) {
      return cases.conflict(o);
    }
    if (this instanceof Failed<T> o) {
      return cases.failed(o);
    }
    if (this instanceof FailedBefore<T> o) {
      return cases.failedBefore(o);
    }
    if (this instanceof AttemptsUsedUp<T> o) {
      return cases.attemptsUsedUp(o);
    }
    if (this instanceof InDoubt<T> o) {
      return cases.inDoubt(o);
    }
    if (this instanceof NotIssued<T> o) {
      return cases.notIssued(o);
    }
    if (this instanceof Fenced<T> o) {
      return cases.fenced(o);
    }
    return cases.indeterminate((Indeterminate<T>) this);
  }

  /**
   * A function for each outcome: a new one breaks every caller at compile time.
   *
   * @param <T> what the effect answers
   * @param <R> what the functions return
   */
  interface Cases<T, R> {
    /** Handles {@link Executed}. */
    R executed(Executed<T> outcome);

    /** Handles {@link Duplicate}. */
    R duplicate(Duplicate<T> outcome);

    /** Handles {@link InProgress}. */
    R inProgress(InProgress<T> outcome);

    /** Handles {@link Conflict}. */
    R conflict(Conflict<T> outcome);

    /** Handles {@link Failed}. */
    R failed(Failed<T> outcome);

    /** Handles {@link FailedBefore}. */
    R failedBefore(FailedBefore<T> outcome);

    /** Handles {@link AttemptsUsedUp}. */
    R attemptsUsedUp(AttemptsUsedUp<T> outcome);

    /** Handles {@link InDoubt}. */
    R inDoubt(InDoubt<T> outcome);

    /** Handles {@link NotIssued}. */
    R notIssued(NotIssued<T> outcome);

    /** Handles {@link Fenced}. */
    R fenced(Fenced<T> outcome);

    /** Handles {@link Indeterminate}. */
    R indeterminate(Indeterminate<T> outcome);
  }
}
