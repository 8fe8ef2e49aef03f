// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Outcome;
import java.time.Duration;

/**
 * Decides what becomes of a record from what became of its key. Each outcome has one answer, and
 * only two are done.
 *
 * @param <T> what an effect answers
 */
final class Dispositions<T> implements Outcome.Cases<T, Disposition> {

  /**
   * Long enough not to press the store, short enough that a key which becomes free is not left
   * waiting.
   */
  private static final Duration HOLD_MAX = Duration.ofMillis(500);

  private static final Duration HOLD_MIN = Duration.ofMillis(10);

  private Dispositions() {}

  static Disposition of(RecordOutcome outcome) {
    return outcome.fold(
        guarded -> of(guarded.outcome()),
        unguarded -> new Disposition.Done(null),
        failed -> new Disposition.Retry(failed.cause()),
        noKey ->
            new Disposition.Dead(
                DeadLetter.Reason.NO_KEY, null, noKey.where() + ": " + noKey.why()));
  }

  static <T> Disposition of(Outcome<T> outcome) {
    return outcome.fold(new Dispositions<>());
  }

  @Override
  public Disposition executed(Outcome.Executed<T> outcome) {
    return new Disposition.Done(null);
  }

  @Override
  public Disposition duplicate(Outcome.Duplicate<T> outcome) {
    return new Disposition.Done(null);
  }

  @Override
  public Disposition inProgress(Outcome.InProgress<T> outcome) {
    Duration left = outcome.leaseLeft();
    if (left.compareTo(HOLD_MAX) > 0) {
      return new Disposition.Hold(HOLD_MAX);
    }
    return new Disposition.Hold(left.compareTo(HOLD_MIN) < 0 ? HOLD_MIN : left);
  }

  @Override
  public Disposition conflict(Outcome.Conflict<T> outcome) {
    return dead(DeadLetter.Reason.CONFLICT, "the key stands for another message");
  }

  @Override
  public Disposition failed(Outcome.Failed<T> outcome) {
    return new Disposition.Retry(outcome.cause());
  }

  @Override
  public Disposition failedBefore(Outcome.FailedBefore<T> outcome) {
    return dead(DeadLetter.Reason.FAILED_BEFORE, outcome.error());
  }

  @Override
  public Disposition attemptsUsedUp(Outcome.AttemptsUsedUp<T> outcome) {
    return dead(
        DeadLetter.Reason.ATTEMPTS_USED_UP,
        outcome.attempts() + " runs in a row ended without an answer");
  }

  @Override
  public Disposition inDoubt(Outcome.InDoubt<T> outcome) {
    return dead(
        DeadLetter.Reason.IN_DOUBT,
        "worker " + outcome.owner() + " was lost, its lease ended at " + outcome.since());
  }

  @Override
  public Disposition notIssued(Outcome.NotIssued<T> outcome) {
    return dead(DeadLetter.Reason.NOT_ISSUED, "the key was not handed out, or too long ago");
  }

  /** The newer worker's outcome counts; the next claim tells what it is. */
  @Override
  public Disposition fenced(Outcome.Fenced<T> outcome) {
    return new Disposition.Hold(HOLD_MIN);
  }

  /** The next claim tells whether it is stored. */
  @Override
  public Disposition indeterminate(Outcome.Indeterminate<T> outcome) {
    return new Disposition.Hold(HOLD_MIN);
  }

  private static Disposition dead(DeadLetter.Reason reason, String detail) {
    return new Disposition.Dead(reason, null, detail);
  }
}
