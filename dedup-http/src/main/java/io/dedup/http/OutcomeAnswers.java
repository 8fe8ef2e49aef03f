// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.ResultUnavailable;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns each outcome of a claim into what the client is answered.
 *
 * @param operation what the request is for
 * @param codec reads what is kept of responses
 * @param retryAfterMax the longest wait to advise
 * @param rebuild asks the operation's {@link OnReplay}, with status and location of the first
 *     response as far as they are known
 * @param notIssued what a key is that was not handed out
 */
record OutcomeAnswers(
    Operation operation,
    ResultCodec<StoredResponse> codec,
    Duration retryAfterMax,
    BiFunction<@Nullable Integer, @Nullable String, OnReplay.@Nullable Rebuilt> rebuild,
    ProblemCode notIssued)
    implements Outcome.Cases<StoredResult, Answer> {

  @Override
  public Answer executed(Outcome.Executed<StoredResult> outcome) {
    throw new IllegalStateException("a claim does not execute");
  }

  @Override
  public Answer duplicate(Outcome.Duplicate<StoredResult> outcome) {
    StoredResponse stored;
    try {
      stored = codec.decode(outcome.value());
    } catch (IllegalArgumentException | ResultUnavailable e) {
      // Kept by another adapter, by a newer version, or no more: it is done, and that is all we
      // know.
      return notReplayable(null, null);
    }
    if (stored == null) {
      return notReplayable(null, null);
    }
    return switch (stored.kind()) {
      case IN_DOUBT -> unknown();
      case NO_BODY -> notReplayable(stored.status(), stored.header("Location"));
      case ERROR -> new Answer.Repeat(stored);
      case WHOLE -> whole(stored);
    };
  }

  private Answer whole(StoredResponse stored) {
    return switch (operation.replay()) {
      case BYTES -> new Answer.Repeat(stored);
      case STATUS_ONLY ->
          new Answer.Repeat(
              new StoredResponse(
                  stored.kind(), stored.status(), null, stored.headers(), new byte[0]));
      case NONE, REBUILD -> notReplayable(stored.status(), stored.header("Location"));
    };
  }

  private Answer notReplayable(@Nullable Integer status, @Nullable String location) {
    OnReplay.Rebuilt rebuilt = rebuild.apply(status, location);
    if (rebuilt != null) {
      return new Answer.Rebuild(rebuilt);
    }
    ProblemCode code = ProblemCode.NOT_REPLAYABLE;
    return new Answer.Refuse(
        new Problem(code, code.detail(), null, status, location), RequestOutcome.NOT_REPLAYABLE);
  }

  @Override
  public Answer inProgress(Outcome.InProgress<StoredResult> outcome) {
    return busy(outcome.leaseLeft());
  }

  private Answer busy(Duration leaseLeft) {
    Duration wait = leaseLeft.compareTo(retryAfterMax) < 0 ? leaseLeft : retryAfterMax;
    return new Answer.Refuse(
        Problem.retryAfter(ProblemCode.IN_PROGRESS, wait), RequestOutcome.CONFLICT);
  }

  @Override
  public Answer conflict(Outcome.Conflict<StoredResult> outcome) {
    return new Answer.Refuse(Problem.of(ProblemCode.KEY_REUSED), RequestOutcome.MISMATCH);
  }

  @Override
  public Answer failed(Outcome.Failed<StoredResult> outcome) {
    throw new IllegalStateException("a claim does not fail");
  }

  @Override
  public Answer failedBefore(Outcome.FailedBefore<StoredResult> outcome) {
    return unknown();
  }

  @Override
  public Answer attemptsUsedUp(Outcome.AttemptsUsedUp<StoredResult> outcome) {
    return unknown();
  }

  @Override
  public Answer inDoubt(Outcome.InDoubt<StoredResult> outcome) {
    return unknown();
  }

  private static Answer unknown() {
    return new Answer.Refuse(Problem.of(ProblemCode.OUTCOME_UNKNOWN), RequestOutcome.INDETERMINATE);
  }

  @Override
  public Answer notIssued(Outcome.NotIssued<StoredResult> outcome) {
    return new Answer.Refuse(Problem.of(notIssued), RequestOutcome.INVALID);
  }

  @Override
  public Answer fenced(Outcome.Fenced<StoredResult> outcome) {
    return busy(Duration.ZERO);
  }

  @Override
  public Answer indeterminate(Outcome.Indeterminate<StoredResult> outcome) {
    return unknown();
  }
}
