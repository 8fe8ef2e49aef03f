// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Ledger.Standing;
import io.dedup.claim.Setting.Happening;
import java.util.Objects;

/** One thing that happens in a small world. */
sealed interface Step {

  /** Returns the state after it, if no invariant is broken. */
  World from(World world, Setting setting, Bench bench);

  /** A worker sends a command and gets the answer. */
  record Send(int worker, Command command) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      Worker sender = world.workers().get(worker).waiting(command, setting);
      if (command.isClaim()) {
        Executed<ClaimAnswer> done = Executed.claim(world, command, setting, bench);
        boolean effectIsDone = world.effects(Command.message(command.claimId(), setting)) > 0;
        return done.world()
            .sent(command, setting)
            .with(sender.answered(done.answer(), effectIsDone, world.tick(), setting));
      }
      Executed<SettleAnswer> done = Executed.settlement(world, command, setting, bench);
      return done.world()
          .sent(command, setting)
          .with(sender.answered(command.verb(), done.answer()));
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " sends " + command;
    }
  }

  /** A worker sends a command, and its answer is lost. */
  record SendUnanswered(int worker, Command command) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return Executed.any(world, command, setting, bench)
          .world()
          .sent(command, setting)
          .with(world.workers().get(worker).waiting(command, setting))
          .troubled(world);
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " sends " + command + ", its answer is lost";
    }
  }

  /** A worker sends a command that is lost, or late. */
  record SendInVain(int worker, Command command) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return world
          .sent(command, setting)
          .with(world.workers().get(worker).waiting(command, setting))
          .troubled(world);
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " sends " + command + ", which does not arrive now";
    }
  }

  /** A command arrives that was sent before. Nobody waits for the answer. */
  record Arrive(Command copy) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return Executed.any(world, copy, setting, bench).world().troubled(world);
    }

    @Override
    public String toString() {
      return "a late copy arrives: " + copy;
    }
  }

  /** A worker does the effect. */
  record Run(int worker) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      Worker runner = world.workers().get(worker);
      int message = Command.message(runner.claimId(), setting);
      boolean again = world.effects(message) > 0;
      boolean byIntent = setting.has(Happening.FORCE) || setting.has(Happening.OPERATOR);
      if (setting.remembers() && !byIntent) {
        Invariant.ONE_EFFECT_IN_CALM.check(!again || setting.has(Happening.DELAY), runner);
        Invariant.ONE_EFFECT_UNDER_HOLD.check(
            !again || setting.policy() != OnLeaseExpired.HOLD, runner);
        Invariant.ONE_EFFECT_UNDER_PROBE.check(
            !runner.wasDone() || setting.policy() != OnLeaseExpired.PROBE, runner);
      }
      return world.effectDone(message).with(runner.ran());
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " does the effect";
    }
  }

  /** A worker that took over asks whether the effect is done. */
  record Probe(int worker) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      Worker asker = world.workers().get(worker);
      boolean done = world.effects(Command.message(asker.claimId(), setting)) > 0;
      return world.with(asker.probed(done, setting));
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " asks its probe";
    }
  }

  /** A worker dies, or gives up. */
  record Die(int worker) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return world.with(world.workers().get(worker).reborn()).troubled(world);
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " dies";
    }
  }

  /** A worker's acknowledgement is lost, and it gets the same record again. */
  record Redeliver(int worker) implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return world.with(world.workers().get(worker).reborn());
    }

    @Override
    public String toString() {
      return "worker " + (worker + 1) + " gets its record again";
    }
  }

  /** The clock goes on. */
  record Tick() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      return world.later();
    }

    @Override
    public String toString() {
      return "a tick of the clock";
    }
  }

  /** Expired records are purged. */
  record Purge() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      bench.act(world.record(), world.tick(), store -> store.purgeExpired(1));
      return world.with(bench.record(), world.ledger()).troubled(world);
    }

    @Override
    public String toString() {
      return "a purge";
    }
  }

  /** The store forgets the key. */
  record Flush() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      bench.act(world.record(), world.tick(), store -> store.forget(Setting.KEY));
      World flushed = world.with(bench.record(), world.ledger().forgotten()).troubled(world);
      return setting.has(Happening.FLUSH_WITHIN_A_MICROSECOND) ? flushed : flushed.later();
    }

    @Override
    public String toString() {
      return "a flush";
    }
  }

  /** The key is handed out. */
  record Issue() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      boolean issued =
          bench.act(world.record(), world.tick(), store -> store.issue(Setting.KEY, setting.ttl()));
      boolean changed = !Objects.equals(world.record(), bench.record());
      Ledger judged = world.ledger().issued(issued, changed, world.tick(), setting);
      return world.with(bench.record(), judged);
    }

    @Override
    public String toString() {
      return "the key is handed out";
    }
  }

  /** An operator settles a claim whose lease is over, by what really happened. */
  record Resolve() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      boolean done = world.effects(0) > 0;
      Resolution resolution =
          done ? new Resolution.Done(Command.RESULT, setting.ttl()) : new Resolution.NotDone();
      long token = world.ledger().token;
      return Executed.byHand(
          world,
          store -> store.resolve(Setting.KEY, token, resolution, "operator", "looked"),
          world.ledger().isLeaseOver(world.tick()),
          done ? Standing.DONE : Standing.FREE,
          setting,
          bench);
    }

    @Override
    public String toString() {
      return "an operator resolves the key, by what was really done";
    }
  }

  /** An operator lets the key run again. */
  record Reopen() implements Step {
    @Override
    public World from(World world, Setting setting, Bench bench) {
      Ledger ledger = world.ledger();
      boolean possible =
          ledger.standing == Standing.OPEN
              ? ledger.isLeaseOver(world.tick())
              : ledger.standing != Standing.ABSENT;
      return Executed.byHand(
          world,
          store -> store.reopen(Setting.KEY, "operator", "wants it again"),
          possible,
          Standing.FREE,
          setting,
          bench);
    }

    @Override
    public String toString() {
      return "an operator reopens the key";
    }
  }
}
