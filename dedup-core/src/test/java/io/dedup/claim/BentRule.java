// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.function.Supplier;

/**
 * A rule broken on purpose, and where that must show.
 *
 * @param name what is wrong
 * @param world the world in which it shows
 * @param broken the invariant that it breaks first
 * @param bench makes the store that has the rule
 */
record BentRule(String name, Setting world, Invariant broken, Supplier<Bench> bench) {

  static BentRule of(String name, Setting world, Invariant broken, TransitionTable table) {
    return new BentRule(name, world, broken, () -> Bench.of(table));
  }

  @Override
  public String toString() {
    return name;
  }
}
