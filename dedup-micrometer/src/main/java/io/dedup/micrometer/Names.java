// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.dedup.DuplicateReason;
import io.dedup.Outcome;
import io.dedup.claim.State;
import java.util.Locale;

/** The values of tags. */
final class Names {

  private static final Outcome.Cases<Object, String> ANSWERS = new Answers();

  private Names() {}

  static String of(State state) {
    return lower(state);
  }

  static String of(DuplicateReason reason) {
    return lower(reason);
  }

  @SuppressWarnings("unchecked") // The names do not look at what the effect answered.
  static String of(Outcome<?> outcome) {
    return ((Outcome<Object>) outcome).fold(ANSWERS);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** By hand, not from class names: a class that is renamed must not break a dashboard. */
  private static final class Answers implements Outcome.Cases<Object, String> {
    @Override
    public String executed(Outcome.Executed<Object> outcome) {
      return "executed";
    }

    @Override
    public String duplicate(Outcome.Duplicate<Object> outcome) {
      return "duplicate";
    }

    @Override
    public String inProgress(Outcome.InProgress<Object> outcome) {
      return "in_progress";
    }

    @Override
    public String conflict(Outcome.Conflict<Object> outcome) {
      return "conflict";
    }

    @Override
    public String failed(Outcome.Failed<Object> outcome) {
      return "failed";
    }

    @Override
    public String failedBefore(Outcome.FailedBefore<Object> outcome) {
      return "failed_before";
    }

    @Override
    public String attemptsUsedUp(Outcome.AttemptsUsedUp<Object> outcome) {
      return "attempts_used_up";
    }

    @Override
    public String inDoubt(Outcome.InDoubt<Object> outcome) {
      return "in_doubt";
    }

    @Override
    public String notIssued(Outcome.NotIssued<Object> outcome) {
      return "not_issued";
    }

    @Override
    public String fenced(Outcome.Fenced<Object> outcome) {
      return "fenced";
    }

    @Override
    public String indeterminate(Outcome.Indeterminate<Object> outcome) {
      return "indeterminate";
    }
  }
}
