// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What happens in a simulated world, and when: all of it follows from a seed. Each schedule has
 * some of the faults and is without the others, so that rare ones are not drowned by frequent ones.
 */
final class Schedule {

  private final SplittableRandom random;
  private final Map<Fault, Double> odds = new EnumMap<>(Fault.class);
  private final List<String> story = new ArrayList<>();
  private boolean calm;

  Schedule(long seed) {
    this.random = new SplittableRandom(seed);
    for (Fault fault : Fault.values()) {
      if (random.nextInt(3) == 0) {
        odds.put(fault, random.nextDouble(0.002, 0.08));
      }
    }
    if (random.nextBoolean()) {
      odds.put(Fault.INTERLEAVING, random.nextDouble(0.05, 0.5));
    }
  }

  boolean happens(Fault fault) {
    Double chance = odds.get(fault);
    return chance != null && !calm && random.nextDouble() < chance;
  }

  /** Returns whether something that takes no fault happens, with this probability. */
  boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  /** Returns 0 to {@code bound} - 1. */
  int upTo(int bound) {
    return random.nextInt(bound);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** From now on nothing goes wrong. */
  void calmDown() {
    calm = true;
    tell("from here on nothing goes wrong");
  }

  boolean isCalm() {
    return calm;
  }

  void tell(String what) {
    story.add(what);
  }

  List<String> story() {
    return story;
  }
}
