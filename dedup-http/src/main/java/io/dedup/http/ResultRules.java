// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a handler's answer means for its key.
 *
 * @param replayStatuses statuses whose answers are kept, before any other rule
 * @param releaseStatuses statuses after which the key may be used again, before any other rule
 * @param keepOn exceptions whose answers are kept
 * @param releaseOn exceptions after which the key may be used again
 */
record ResultRules(
    Set<Integer> replayStatuses,
    Set<Integer> releaseStatuses,
    List<Class<? extends Throwable>> keepOn,
    List<Class<? extends Throwable>> releaseOn) {

  /** What a handler's answer means. */
  enum Meaning {
    /** It is the answer, now and later. */
    DONE,
    /** Nothing was done, or what was done may be done again. */
    NOT_DONE,
    /** The handler had passed its point of no return, and failed. */
    IN_DOUBT
  }

  /** Execution did not begin, or the caller's state differs next time. */
  private static final Set<Integer> RELEASED =
      Set.of(400, 401, 403, 407, 408, 413, 415, 421, 423, 425, 429, 431);

  static ResultRules defaults() {
    return new ResultRules(Set.of(), Set.of(), List.of(), List.of());
  }

  ResultRules {
    replayStatuses = Set.copyOf(replayStatuses);
    releaseStatuses = Set.copyOf(releaseStatuses);
    keepOn = List.copyOf(keepOn);
    releaseOn = List.copyOf(releaseOn);
    for (int status : replayStatuses) {
      if (releaseStatuses.contains(status)) {
        throw new IllegalArgumentException(
            "release-statuses: was " + status + ", must not be among replay-statuses, too");
      }
    }
  }

  /**
   * Decides.
   *
   * @param status of the response; of an exception that nobody handled, 500
   * @param failure what the handler threw, whether or not somebody made a response of it
   * @param pastNoReturn whether the handler called its point of no return
   */
  Meaning of(int status, @Nullable Throwable failure, boolean pastNoReturn) {
    if (isOneOf(keepOn, failure)) {
      return Meaning.DONE;
    }
    if (isOneOf(releaseOn, failure)) {
      return Meaning.NOT_DONE;
    }
    if (replayStatuses.contains(status)) {
      return Meaning.DONE;
    }
    if (releaseStatuses.contains(status)) {
      return Meaning.NOT_DONE;
    }
    if (status < 500 && !RELEASED.contains(status)) {
      return Meaning.DONE;
    }
    return pastNoReturn ? Meaning.IN_DOUBT : Meaning.NOT_DONE;
  }

  private static boolean isOneOf(
      List<Class<? extends Throwable>> types, @Nullable Throwable failure) {
    return failure != null && types.stream().anyMatch(type -> type.isInstance(failure));
  }
}
