// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStart;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.testkit.HistoryStep.ClaimPart;
import io.dedup.testkit.HistoryStep.Ending;
import io.dedup.testkit.HistoryStep.Making;
import io.dedup.testkit.HistoryStep.Moment;
import io.dedup.testkit.HistoryStep.NotAfter;
import io.dedup.testkit.HistoryStep.SettlePart;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes the steps of a history from a seed: always the same ones. Few keys, so that steps meet, and
 * each history with a liking of its own, so that rare things happen often in some.
 */
final class HistoryGenerator {

  static final int KEYS = 3;

  private static final int STEPS = 40;
  private static final int BATCH_MAX = 3;
  private static final Duration MICRO = Duration.of(1, ChronoUnit.MICROS);
  private static final List<Duration> LEASES =
      List.of(Duration.ofMinutes(10), Duration.ofMinutes(10).plusNanos(1), Duration.ofMinutes(45));
  private static final List<Duration> TTLS =
      List.of(Duration.ofMinutes(45), Duration.ofHours(2).plusNanos(1500), Duration.ofDays(30));
  private static final List<Duration> STEPS_OF_TIME =
      List.of(
          Duration.ZERO, MICRO, Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(3));
  private static final List<Duration> OFFS = List.of(MICRO.negated(), Duration.ZERO, MICRO);

  private final Random random;
  private final int keys;
  private final int batchPercent;
  private final int oneInForced;
  private final int oneInAnotherMessage;
  private final List<Ending> endings;

  HistoryGenerator(long seed) {
    this.random = new Random(seed);
    this.keys = 1 + random.nextInt(KEYS);
    this.batchPercent = 30 + random.nextInt(40);
    this.oneInForced = 1 + random.nextInt(6);
    this.oneInAnotherMessage = 2 + random.nextInt(8);
    this.endings = new ArrayList<>(List.of(Ending.values()));
    for (int i = random.nextInt(12); i > 0; i--) {
      endings.add(Ending.COMPLETE);
    }
  }

  List<HistoryStep> steps() {
    List<HistoryStep> steps = new ArrayList<>(STEPS);
    for (int i = 0; i < STEPS; i++) {
      steps.add(step());
    }
    return steps;
  }

  private HistoryStep step() {
    int die = random.nextInt(100);
    if (die < batchPercent) {
      return batch();
    }
    if (die < batchPercent + 5) {
      return new HistoryStep.Resend(random.nextInt(STEPS));
    }
    return oneIn(3) ? time() : cold();
  }

  private HistoryStep batch() {
    List<SettlePart> settlements = new ArrayList<>();
    List<ClaimPart> claims = new ArrayList<>();
    for (int i = random.nextInt(BATCH_MAX); i > 0; i--) {
      settlements.add(new SettlePart(recent(), !oneIn(5), pick(endings), pick(TTLS)));
    }
    for (int i = random.nextInt(BATCH_MAX + 1); i > 0; i--) {
      claims.add(claim());
    }
    return new HistoryStep.Batch(settlements, claims);
  }

  /** The number of a claim, counted back from the newest: mostly one of the last few. */
  private int recent() {
    return random.nextInt(random.nextInt(8) + 1);
  }

  private ClaimPart claim() {
    return new ClaimPart(
        key(),
        random.nextInt(3),
        random.nextInt(12),
        oneIn(oneInAnotherMessage) ? random.nextInt(4) : 1,
        pick(LEASES),
        pick(TTLS),
        oneIn(8) ? random.nextInt(1000) : 0,
        oneIn(4) ? pick(NotAfter.values()) : NotAfter.NEVER,
        oneIn(8),
        oneIn(oneInForced),
        oneIn(4),
        pick(ClaimStart.values()),
        pick(OnLeaseExpired.values()),
        pick(OnFailed.values()));
  }

  private HistoryStep time() {
    return oneIn(2)
        ? new HistoryStep.Advance(pick(STEPS_OF_TIME))
        : new HistoryStep.AdvanceTo(key(), pick(Moment.values()), pick(OFFS));
  }

  private HistoryStep cold() {
    return switch (random.nextInt(14)) {
      case 0, 1 -> new HistoryStep.Issue(key(), pick(TTLS));
      case 2 -> new HistoryStep.Resolve(key(), oneIn(4) ? 1 : 0, pick(Ending.values()));
      case 3 -> new HistoryStep.Reopen(key());
      case 4 -> new HistoryStep.Forget(key());
      case 5, 6 -> new HistoryStep.Copy(key());
      case 7, 8, 9, 10 ->
          new HistoryStep.Merge(
              key(), random.nextInt(6), pick(Making.values()), random.nextInt(3) - 1);
      case 11, 12 -> new HistoryStep.Extend(oneIn(2) ? List.of() : List.of(key()), pick(TTLS));
      default -> new HistoryStep.Purge(1 + random.nextInt(10));
    };
  }

  private int key() {
    return random.nextInt(keys);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private <T> T pick(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
