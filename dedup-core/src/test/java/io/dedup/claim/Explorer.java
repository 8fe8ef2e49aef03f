// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Invariant.Broken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks every state of a small world, those first that are reached in the fewest steps, so that the
 * first schedule found to break an invariant is a shortest one. Walks once.
 */
final class Explorer {

  private final Setting setting;
  private final Bench bench;
  private final Seen seen = new Seen();
  private long transitions;
  private int depth;

  Explorer(Setting setting, Bench bench) {
    this.setting = setting;
    this.bench = bench;
  }

  /**
   * What a walk came to.
   *
   * @param setting the world
   * @param states how many states there are
   * @param transitions how many steps lead from one to another
   * @param depth how many steps lead to the farthest
   * @param violation the first broken invariant, null if none was
   */
  record Walk(
      Setting setting, int states, long transitions, int depth, @Nullable Violation violation) {

    @Override
    public String toString() {
      return "%s, %s: %,d states, %,d transitions, depth %d%s"
          .formatted(
              setting.name(),
              setting.size(),
              states,
              transitions,
              depth,
              violation == null ? "" : "\n" + violation.schedule());
    }
  }

  /**
   * A broken invariant.
   *
   * @param invariant which
   * @param schedule the shortest way there, for people
   */
  record Violation(Invariant invariant, String schedule) {}

  Walk walk() {
    List<World> worlds = List.of(World.empty(setting));
    List<Integer> numbers = List.of(seen.add(Digest.of(worlds.get(0), setting), -1, 0));
    while (!worlds.isEmpty()) {
      List<World> nextWorlds = new ArrayList<>();
      List<Integer> nextNumbers = new ArrayList<>();
      for (int i = 0; i < worlds.size(); i++) {
        World world = worlds.get(i);
        List<Step> steps = world.steps(setting);
        for (int s = 0; s < steps.size(); s++) {
          World next;
          try {
            next = after(world, steps.get(s));
          } catch (Broken broken) {
            return ended(new Violation(broken.invariant(), schedule(numbers.get(i), s)));
          }
          int number = seen.add(Digest.of(next, setting), numbers.get(i), s);
          if (number >= 0) {
            nextWorlds.add(next);
            nextNumbers.add(number);
          }
        }
      }
      depth += nextWorlds.isEmpty() ? 0 : 1;
      worlds = nextWorlds;
      numbers = nextNumbers;
    }
    return ended(null);
  }

  private World after(World world, Step step) {
    transitions++;
    World next = step.from(world, setting, bench);
    next.checkOneOwner(bench);
    return next;
  }

  private Walk ended(@Nullable Violation violation) {
    return new Walk(setting, seen.count(), transitions, depth, violation);
  }

  /** Goes the way to a state once more, and one step further, to tell it. */
  private String schedule(int number, int lastStep) {
    StringBuilder text = new StringBuilder();
    World world = World.empty(setting);
    for (int choice : seen.path(number)) {
      Step step = world.steps(setting).get(choice);
      world = step.from(world, setting, bench);
      text.append("  ").append(step).append(" -> ").append(world.summary()).append('\n');
    }
    Step last = world.steps(setting).get(lastStep);
    try {
      after(world, last);
      throw new IllegalStateException("the schedule cannot be repeated: " + text);
    } catch (Broken broken) {
      return text.append("  ").append(last).append('\n').append(broken.getMessage()).toString();
    }
  }
}
