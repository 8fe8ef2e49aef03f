// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Outcome;
import io.dedup.kafka.DeadLetter;
import java.time.Duration;

/**
 * Decides what is done with a record from what became of its key. Each outcome has one answer, and
 * only two let a record be acknowledged.
 *
 * @param <T> what an effect answers
 */
final class Verdicts<T> implements Outcome.Cases<T, Verdict> {

  /**
   * Long enough not to press the store, short enough that a key which becomes free is not left
   * waiting.
   */
  static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

  static Verdict of(Outcome<?> outcome) {
    return verdict(outcome);
  }

  private static <T> Verdict verdict(Outcome<T> outcome) {
    return outcome.fold(new Verdicts<>());
  }

  static Verdict.Wait trouble(RuntimeException cause) {
    return new Verdict.Wait(LONGEST_PAUSE, "the store is in trouble", cause);
  }

  static Verdict noKey(String where, String why) {
    return refuse(DeadLetter.Reason.NO_KEY, where + " " + why);
  }

  @Override
  public Verdict executed(Outcome.Executed<T> outcome) {
    return new Verdict.Skip(null);
  }

  @Override
  public Verdict duplicate(Outcome.Duplicate<T> outcome) {
    return new Verdict.Skip(null);
  }

  @Override
  public Verdict inProgress(Outcome.InProgress<T> outcome) {
    Duration left = outcome.leaseLeft();
    Duration pause = left.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : left;
    return new Verdict.Wait(
        pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause,
        "its key is in progress elsewhere",
        null);
  }

  @Override
  public Verdict conflict(Outcome.Conflict<T> outcome) {
    return refuse(DeadLetter.Reason.CONFLICT, "the key stands for another message");
  }

  /** Failures are thrown on before anybody asks. */
  @Override
  public Verdict failed(Outcome.Failed<T> outcome) {
    throw new IllegalStateException("a failure is the error handler's", outcome.cause());
  }

  @Override
  public Verdict failedBefore(Outcome.FailedBefore<T> outcome) {
    return refuse(DeadLetter.Reason.FAILED_BEFORE, outcome.error());
  }

  @Override
  public Verdict attemptsUsedUp(Outcome.AttemptsUsedUp<T> outcome) {
    return refuse(
        DeadLetter.Reason.ATTEMPTS_USED_UP,
        outcome.attempts() + " runs in a row ended without an answer");
  }

  @Override
  public Verdict inDoubt(Outcome.InDoubt<T> outcome) {
    return refuse(
        DeadLetter.Reason.IN_DOUBT,
        "worker " + outcome.owner() + " was lost, its lease ended at " + outcome.since());
  }

  @Override
  public Verdict notIssued(Outcome.NotIssued<T> outcome) {
    return refuse(DeadLetter.Reason.NOT_ISSUED, "the key was not handed out, or too long ago");
  }

  /** The newer worker's outcome counts; the next claim tells what it is. */
  @Override
  public Verdict fenced(Outcome.Fenced<T> outcome) {
    return new Verdict.Wait(SHORTEST_PAUSE, "its key was taken over", null);
  }

  /** The next claim tells whether it is stored. */
  @Override
  public Verdict indeterminate(Outcome.Indeterminate<T> outcome) {
    return new Verdict.Wait(SHORTEST_PAUSE, "its completion may not be stored", outcome.cause());
  }

  private static Verdict refuse(DeadLetter.Reason reason, String detail) {
    return new Verdict.Refuse(new RecordRefused(reason, detail));
  }
}
