// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoredResult;

/** Turns the outcome of a stored result into that of the value which the call's codec reads. */
record DecodedValue<T>(Call<T> call) implements Outcome.Cases<StoredResult, Outcome<T>> {

  @Override
  public Outcome<T> executed(Outcome.Executed<StoredResult> o) {
    return new Outcome.Executed<>(call.decoded(o.value()), o.token());
  }

  @Override
  public Outcome<T> duplicate(Outcome.Duplicate<StoredResult> o) {
    return new Outcome.Duplicate<>(call.decoded(o.value()), o.reason(), o.origin(), o.completed());
  }

  @Override
  public Outcome<T> inProgress(Outcome.InProgress<StoredResult> o) {
    return new Outcome.InProgress<>(o.owner(), o.leaseLeft());
  }

  @Override
  public Outcome<T> conflict(Outcome.Conflict<StoredResult> o) {
    return new Outcome.Conflict<>(o.stored(), o.offered());
  }

  @Override
  public Outcome<T> failed(Outcome.Failed<StoredResult> o) {
    return new Outcome.Failed<>(o.cause());
  }

  @Override
  public Outcome<T> failedBefore(Outcome.FailedBefore<StoredResult> o) {
    return new Outcome.FailedBefore<>(o.error());
  }

  @Override
  public Outcome<T> attemptsUsedUp(Outcome.AttemptsUsedUp<StoredResult> o) {
    return new Outcome.AttemptsUsedUp<>(o.attempts());
  }

  @Override
  public Outcome<T> inDoubt(Outcome.InDoubt<StoredResult> o) {
    return new Outcome.InDoubt<>(o.owner(), o.token(), o.since());
  }

  @Override
  public Outcome<T> notIssued(Outcome.NotIssued<StoredResult> o) {
    return new Outcome.NotIssued<>();
  }

  @Override
  public Outcome<T> fenced(Outcome.Fenced<StoredResult> o) {
    return new Outcome.Fenced<>(call.decoded(o.value()), o.current());
  }

  @Override
  public Outcome<T> indeterminate(Outcome.Indeterminate<StoredResult> o) {
    return new Outcome.Indeterminate<>(call.decoded(o.value()), o.cause());
  }
}
