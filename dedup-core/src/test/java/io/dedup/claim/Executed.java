// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Ledger.Standing;
import java.util.Objects;
import java.util.function.Function;

/**
 * A command that the store has executed, and the ledger judged.
 *
 * @param world the state after it; nobody has seen the answer yet
 * @param answer the answer
 */
record Executed<A>(World world, A answer) {

  static Executed<?> any(World world, Command command, Setting setting, Bench bench) {
    return command.isClaim()
        ? claim(world, command, setting, bench)
        : settlement(world, command, setting, bench);
  }

  static Executed<ClaimAnswer> claim(World world, Command command, Setting setting, Bench bench) {
    ClaimAnswer answer =
        bench.act(world.record(), world.tick(), store -> command.claimOn(store, setting));
    boolean changed = !Objects.equals(world.record(), bench.record());
    if (answer instanceof ClaimAnswer.Completed) {
      int effects = world.effects(Command.message(command.claimId(), setting));
      Invariant.DONE_MEANS_EFFECT.check(effects > 0, answer);
    }
    Ledger judged = world.ledger().claimed(command, answer, changed, world.tick(), setting);
    return new Executed<>(world.with(bench.record(), judged), answer);
  }

  static Executed<SettleAnswer> settlement(
      World world, Command command, Setting setting, Bench bench) {
    SettleAnswer answer =
        bench.act(world.record(), world.tick(), store -> command.settleOn(store, setting));
    boolean changed = !Objects.equals(world.record(), bench.record());
    Ledger judged = world.ledger().settled(command, answer, changed, world.tick(), setting);
    return new Executed<>(world.with(bench.record(), judged), answer);
  }

  static World byHand(
      World world,
      Function<ClaimStore, SettleAnswer> action,
      boolean possible,
      Standing to,
      Setting setting,
      Bench bench) {
    SettleAnswer answer = bench.act(world.record(), world.tick(), action);
    boolean changed = !Objects.equals(world.record(), bench.record());
    Invariant.OPERATOR_IS_HEARD.check(answer instanceof SettleAnswer.Applied == possible, answer);
    Invariant.NOTHING_ELSE_CHANGES.check(changed == possible, answer);
    Ledger ledger = world.ledger();
    return world.with(bench.record(), possible ? ledger.byHand(to, world.tick(), setting) : ledger);
  }
}
