// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store answers to a claim. The set is closed: whatever else comes back is trouble with the
 * store.
 */
public sealed interface ClaimAnswer {

  /**
   * The key is the caller's.
   *
   * @param token larger than that of any earlier claim of the key
   * @param attempt the number of this run since the last answered settlement, from 1
   * @param takenOver whether a predecessor started, or may have, and never settled
   * @param leaseLeft what is left of the lease
   */
  record Acquired(long token, int attempt, boolean takenOver, Duration leaseLeft)
      implements ClaimAnswer {}

  /**
   * Somebody else has the key, or a failure's back-off runs. The effect is not known to be done.
   *
   * @param owner who has it
   * @param leaseLeft how long at least
   * @param origin of the delivery that is worked on
   */
  record InProgress(String owner, Duration leaseLeft, Origin origin) implements ClaimAnswer {}

  /**
   * The effect is done.
   *
   * @param result what it answered, null if nothing was kept
   * @param origin of the delivery that did it
   * @param token of the claim that did it
   * @param completed when it was done, by the store's clock
   * @param expires when the key will be forgotten, by the store's clock
   */
  record Completed(
      @Nullable StoredResult result, Origin origin, long token, Instant completed, Instant expires)
      implements ClaimAnswer {}

  /**
   * The handler failed before, and the policy is to report it.
   *
   * @param error the stored failure
   * @param origin of the delivery that failed
   */
  record Failed(String error, Origin origin) implements ClaimAnswer {}

  /**
   * A predecessor started and never settled, and the policy is to hold the key until somebody has
   * looked.
   *
   * @param owner the predecessor
   * @param token of its claim, which {@link ClaimStore#resolve} asks for
   * @param since when its lease ended, by the store's clock
   */
  record InDoubt(String owner, long token, Instant since) implements ClaimAnswer {}

  /**
   * The key stands for another message.
   *
   * @param stored the fingerprint of that message
   */
  record Conflict(Fingerprint stored) implements ClaimAnswer {}

  /** The key must have been issued, and was not, or too long ago. */
  record NotIssued() implements ClaimAnswer {}

  /**
   * The claim id has settled this key already: the request is a late copy.
   *
   * @param current who the key belongs to
   */
  record Fenced(Holder current) implements ClaimAnswer {}

  /** The store's time is past the request's {@code notAfter}; nothing was changed. */
  record RequestExpired() implements ClaimAnswer {}

  /** Returns the result of the case that fits. */
  default <R> R fold(Cases<R> cases) {
    if (this instanceof Acquired a) {
      return cases.acquired(a);
    }
    if (this instanceof InProgress a) {
      return cases.inProgress(a);
    }
    if (this instanceof Completed a) {
      return cases.completed(a);
    }
    if (this instanceof Failed a) {
      return cases.failed(a);
    }
    if (this instanceof InDoubt a) {
      return cases.inDoubt(a);
    }
    if (this instanceof Conflict a) {
      return cases.conflict(a);
    }
    if (this instanceof NotIssued a) {
      return cases.notIssued(a);
    }
    if (this instanceof Fenced a) {
      return cases.fenced(a);
    }
    return cases.requestExpired((RequestExpired) this);
  }

  /**
   * A function for each answer: a new one breaks every caller at compile time.
   *
   * @param <R> what they return
   */
  interface Cases<R> {
    /** Handles {@link Acquired}. */
    R acquired(Acquired answer);

    /** Handles {@link InProgress}. */
    R inProgress(InProgress answer);

    /** Handles {@link Completed}. */
    R completed(Completed answer);

    /** Handles {@link Failed}. */
    R failed(Failed answer);

    /** Handles {@link InDoubt}. */
    R inDoubt(InDoubt answer);

    /** Handles {@link Conflict}. */
    R conflict(Conflict answer);

    /** Handles {@link NotIssued}. */
    R notIssued(NotIssued answer);

    /** Handles {@link Fenced}. */
    R fenced(Fenced answer);

    /** Handles {@link RequestExpired}. */
    R requestExpired(RequestExpired answer);
  }
}
