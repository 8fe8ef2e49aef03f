// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.StoreCorrupt;
import java.util.function.Function;

/**
 * Turns each answer to a claim into an outcome; what an acquired key leads to is the caller's
 * business.
 *
 * @param call what was asked for
 * @param run what to do with the key
 */
record Answers<T>(Call<T> call, Function<ClaimAnswer.Acquired, Outcome<T>> run)
    implements ClaimAnswer.Cases<Outcome<T>> {

  @Override
  public Outcome<T> acquired(ClaimAnswer.Acquired answer) {
    return run.apply(answer);
  }

  @Override
  public Outcome<T> inProgress(ClaimAnswer.InProgress answer) {
    return new Outcome.InProgress<>(answer.owner(), answer.leaseLeft());
  }

  @Override
  public Outcome<T> completed(ClaimAnswer.Completed answer) {
    return new Outcome.Duplicate<>(
        call.decoded(answer.result()),
        DuplicateReason.of(call.delivery().origin(), answer.origin()),
        answer.origin(),
        answer.completed());
  }

  @Override
  public Outcome<T> failed(ClaimAnswer.Failed answer) {
    return new Outcome.FailedBefore<>(answer.error());
  }

  @Override
  public Outcome<T> inDoubt(ClaimAnswer.InDoubt answer) {
    return new Outcome.InDoubt<>(answer.owner(), answer.token(), answer.since());
  }

  @Override
  public Outcome<T> conflict(ClaimAnswer.Conflict answer) {
    return new Outcome.Conflict<>(answer.stored(), call.fingerprint());
  }

  @Override
  public Outcome<T> notIssued(ClaimAnswer.NotIssued answer) {
    return new Outcome.NotIssued<>();
  }

  @Override
  public Outcome<T> fenced(ClaimAnswer.Fenced answer) {
    throw unexpected("Fenced for a claim that has not settled, by " + answer.current());
  }

  @Override
  public Outcome<T> requestExpired(ClaimAnswer.RequestExpired answer) {
    throw unexpected("RequestExpired after it had been sent again");
  }

  private static StoreCorrupt unexpected(String what) {
    return new StoreCorrupt("answer: was " + what);
  }
}
