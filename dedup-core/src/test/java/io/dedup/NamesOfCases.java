// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/** Answers with the name of the case it was asked by. */
final class NamesOfCases<T> implements Outcome.Cases<T, String> {

  @Override
  public String executed(Outcome.Executed<T> outcome) {
    return "Executed";
  }

  @Override
  public String duplicate(Outcome.Duplicate<T> outcome) {
    return "Duplicate";
  }

  @Override
  public String inProgress(Outcome.InProgress<T> outcome) {
    return "InProgress";
  }

  @Override
  public String conflict(Outcome.Conflict<T> outcome) {
    return "Conflict";
  }

  @Override
  public String failed(Outcome.Failed<T> outcome) {
    return "Failed";
  }

  @Override
  public String failedBefore(Outcome.FailedBefore<T> outcome) {
    return "FailedBefore";
  }

  @Override
  public String attemptsUsedUp(Outcome.AttemptsUsedUp<T> outcome) {
    return "AttemptsUsedUp";
  }

  @Override
  public String inDoubt(Outcome.InDoubt<T> outcome) {
    return "InDoubt";
  }

  @Override
  public String notIssued(Outcome.NotIssued<T> outcome) {
    return "NotIssued";
  }

  @Override
  public String fenced(Outcome.Fenced<T> outcome) {
    return "Fenced";
  }

  @Override
  public String indeterminate(Outcome.Indeterminate<T> outcome) {
    return "Indeterminate";
  }
}
