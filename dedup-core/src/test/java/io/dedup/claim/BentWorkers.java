// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Setting.Happening;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Workers who break the rules of their side. No table makes up for them, so they show that the
 * effects themselves are counted, not only the store's answers.
 */
final class BentWorkers {

  private BentWorkers() {}

  static List<BentRule> all() {
    return List.of(
        bent(
            "a worker runs though the answer to its start was lost",
            SmallWorlds.HOLDING,
            Happening.RUNS_UNSTARTED,
            Invariant.ONE_EFFECT_UNDER_HOLD),
        bent(
            "a worker that took over asks no probe",
            SmallWorlds.PROBING_LONG,
            Happening.RUNS_UNASKED,
            Invariant.ONE_EFFECT_UNDER_PROBE),
        bent(
            "a worker runs though the key is busy",
            SmallWorlds.CALM,
            Happening.RUNS_BUSY,
            Invariant.ONE_EFFECT_IN_CALM));
  }

  private static BentRule bent(String name, Setting world, Happening fault, Invariant broken) {
    Set<Happening> may = EnumSet.copyOf(world.may());
    may.add(fault);
    Setting bent = new Setting(world.name(), world.size(), world.policy(), world.start(), may);
    return BentRule.of(name, bent, broken, TransitionTable.rules());
  }
}
