// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random sequences of all verbs with the time moving, every step compared with the store in memory.
 *
 * <p>{@value #HISTORIES} sets how many, and {@value #SEED} runs the history of one seed again. The
 * same seeds run every time; a history that differs is first made as short as it can be.
 */
abstract class Histories {

  /** The property that sets how many histories run. */
  static final String HISTORIES = "dedup.contract.histories";

  /** The property that names the one seed to run. */
  static final String SEED = "dedup.contract.seed";

  private static final int HISTORIES_DEFAULT = 150;
  private static final int SHRINKING_RUNS_MAX = 400;

  private final ClaimStoreContract contract;

  Histories(ClaimStoreContract contract) {
    this.contract = contract;
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS) // for many more histories than usual
  void theStoreAnswersAndKeepsWhatTheStoreInMemoryDoes() {
    Long seed = Long.getLong(SEED);
    if (seed != null) {
      check(seed);
      return;
    }
    int histories = Integer.getInteger(HISTORIES, HISTORIES_DEFAULT);
    for (long next = 1; next <= histories; next++) {
      check(next);
    }
  }

  private void check(long seed) {
    List<HistoryStep> steps = new HistoryGenerator(seed).steps();
    Optional<AssertionError> difference = difference(seed, steps);
    if (difference.isPresent()) {
      List<HistoryStep> shortest = shrink(seed, steps);
      AssertionError last = difference(seed, shortest).orElse(difference.get());
      throw new AssertionError(report(seed, shortest, last), last);
    }
  }

  private Optional<AssertionError> difference(long seed, List<HistoryStep> steps) {
    // The last digits of the time differ from seed to seed, and are the same whenever a seed runs.
    ManualTime time =
        ManualTime.startingAt(ManualTime.atBeginning().now().plus(Duration.ofNanos(seed * 1000)));
    ClaimStore tested = contract.createStore(time);
    try {
      new HistoryRun(seed, new SideBySide(tested, time), time).run(steps);
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e);
    } catch (RuntimeException e) {
      return Optional.of(new AssertionError("the store threw " + e, e));
    }
  }

  /** Takes steps out, in ever smaller runs of them, as long as a difference remains. */
  private List<HistoryStep> shrink(long seed, List<HistoryStep> steps) {
    List<HistoryStep> shortest = steps;
    int runs = 0;
    for (int chunk = steps.size() / 2; chunk >= 1; chunk /= 2) {
      int from = 0;
      while (from < shortest.size() && runs < SHRINKING_RUNS_MAX) {
        List<HistoryStep> shorter = new ArrayList<>(shortest);
        shorter.subList(from, Math.min(from + chunk, shorter.size())).clear();
        runs++;
        if (difference(seed, shorter).isPresent()) {
          shortest = shorter;
        } else {
          from += chunk;
        }
      }
    }
    return shortest;
  }

  private static String report(long seed, List<HistoryStep> steps, AssertionError difference) {
    return "The store and the store in memory differ. To run this history again: -D"
        + SEED
        + "="
        + seed
        + "\nThe shortest history found that shows it:\n"
        + steps.stream().map(step -> "  " + step).collect(Collectors.joining("\n"))
        + "\nThe difference after its last step:\n"
        + difference.getMessage();
  }
}
