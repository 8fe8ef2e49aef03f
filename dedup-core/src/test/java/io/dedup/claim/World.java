// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Ledger.Standing;
import io.dedup.claim.Setting.Happening;
import io.dedup.claim.Worker.Phase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state of the small world: one key, a clock, some workers, what was sent, and what has been.
 *
 * @param tick the store's clock
 * @param record the key's record as the store has it, expired or not
 * @param workers who works on it
 * @param sent the commands that may arrive again, none if copies are not part of the world
 * @param ledger what the answers have promised
 * @param troubles how many more may come
 * @param effects how often the effect of each worker's message was done: two bits each, 2 means
 *     more than once
 */
record World(
    int tick,
    @Nullable ClaimRecord record,
    List<Worker> workers,
    List<Command> sent,
    Ledger ledger,
    int troubles,
    int effects) {

  static World empty(Setting setting) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < setting.size().workers(); i++) {
      workers.add(Worker.idle(i));
    }
    return new World(0, null, workers, List.of(), new Ledger(), setting.size().troubles(), 0);
  }

  /** All that can happen next. */
  List<Step> steps(Setting setting) {
    List<Step> steps = new ArrayList<>();
    for (Worker worker : workers) {
      addStepsOf(worker, setting, steps);
    }
    if (tick < setting.size().ticks() && (setting.has(Happening.DELAY) || isTickCalm())) {
      steps.add(new Step.Tick());
    }
    if (setting.has(Happening.ISSUE)) {
      steps.add(new Step.Issue());
    }
    // A reopened key is not reopened again: its token would grow without end.
    if (setting.has(Happening.OPERATOR) && ledger.standing != Standing.FREE) {
      steps.add(new Step.Resolve());
      steps.add(new Step.Reopen());
    }
    if (troubles > 0) {
      addTroubles(setting, steps);
    }
    return steps;
  }

  private void addTroubles(Setting setting, List<Step> steps) {
    for (Worker worker : workers) {
      if (setting.has(Happening.LOSS)) {
        for (Command command : commands(worker, setting)) {
          steps.add(new Step.SendUnanswered(worker.number(), command));
          steps.add(new Step.SendInVain(worker.number(), command));
        }
      }
      if (setting.has(Happening.CRASH) && isAtWork(worker)) {
        steps.add(new Step.Die(worker.number()));
      }
    }
    for (Command copy : sent) {
      steps.add(new Step.Arrive(copy));
    }
    if (setting.has(Happening.PURGE) && record != null) {
      steps.add(new Step.Purge());
    }
    if (setting.has(Happening.FLUSH_WITHIN_A_MICROSECOND)
        || (setting.has(Happening.FLUSH) && tick < setting.size().ticks())) {
      steps.add(new Step.Flush());
    }
  }

  private void addStepsOf(Worker worker, Setting setting, List<Step> steps) {
    for (Command command : commands(worker, setting)) {
      steps.add(new Step.Send(worker.number(), command));
    }
    if (worker.phase() == Phase.PROBING) {
      steps.add(new Step.Probe(worker.number()));
    }
    if (worker.phase() == Phase.RUNNING) {
      steps.add(new Step.Run(worker.number()));
    }
    if (worker.phase() == Phase.FINISHED && isClaimLeft(setting)) {
      steps.add(new Step.Redeliver(worker.number()));
    }
  }

  private List<Command> commands(Worker worker, Setting setting) {
    return worker.phase() == Phase.IDLE && !isClaimLeft(setting)
        ? List.of()
        : worker.commands(tick, setting);
  }

  private boolean isClaimLeft(Setting setting) {
    int used = 0;
    for (Worker worker : workers) {
      used += worker.claims();
    }
    return used < setting.size().claims();
  }

  private static boolean isAtWork(Worker worker) {
    return worker.phase() != Phase.IDLE && worker.phase() != Phase.FINISHED;
  }

  /** Whether the clock can go on without a lease, a back-off or a record coming to its end. */
  private boolean isTickCalm() {
    boolean busy = ledger.standing == Standing.OPEN || ledger.standing == Standing.FAILED;
    return !(busy && tick + 1 >= ledger.busyUntil)
        && !(ledger.standing != Standing.ABSENT && tick + 1 >= ledger.keptUntil);
  }

  /** How often the effect of a message was done, 2 for more than once. */
  int effects(int message) {
    return (effects >> (2 * message)) & 3;
  }

  /**
   * One trouble less to come; after the last, nothing arrives late any more. A trouble that changes
   * nothing does not count: where it leads there is nothing that cannot happen without it.
   */
  World troubled(World before) {
    return equals(before)
        ? before
        : new World(
            tick, record, workers, troubles == 1 ? List.of() : sent, ledger, troubles - 1, effects);
  }

  World with(Worker worker) {
    List<Worker> changed = new ArrayList<>(workers);
    changed.set(worker.number(), worker);
    return new World(tick, record, changed, sent, ledger, troubles, effects);
  }

  /** The store did something, and the ledger has judged it. */
  World with(@Nullable ClaimRecord changed, Ledger judged) {
    return new World(
        tick, changed, workers, sent, judged.checked(changed, tick), troubles, effects);
  }

  World sent(Command command, Setting setting) {
    if (troubles == 0 || !setting.has(Happening.LATE_COPIES) || sent.contains(command)) {
      return this;
    }
    List<Command> more = new ArrayList<>(sent);
    more.add(command);
    return new World(tick, record, workers, more, ledger, troubles, effects);
  }

  World later() {
    return new World(
        tick + 1, record, workers, sent, ledger.checked(record, tick + 1), troubles, effects);
  }

  World effectDone(int message) {
    int count = effects(message) == 2 ? 0 : 1;
    return new World(
        tick, record, workers, sent, ledger, troubles, effects + (count << (2 * message)));
  }

  /**
   * Checks that of all claims that anybody believes in, and all that may still arrive, one can
   * settle.
   */
  void checkOneOwner(Bench bench) {
    Claim owner = null;
    for (Worker worker : workers) {
      owner = theOwner(owner, worker.token(), worker.claimId(), bench);
    }
    for (Command command : sent) {
      if (!command.isClaim()) {
        owner = theOwner(owner, command.token(), command.claimId(), bench);
      }
    }
  }

  private @Nullable Claim theOwner(
      @Nullable Claim owner, long token, ClaimId claimId, Bench bench) {
    if (token == 0) {
      return owner;
    }
    Claim claim = new Claim(Setting.KEY, claimId, token);
    if (claim.equals(owner) || !bench.canSettle(record, claim, tick)) {
      return owner;
    }
    Invariant.ONE_OWNER.check(owner == null, claim);
    return claim;
  }

  /** For a schedule: the tick and what the store has. */
  String summary() {
    if (record == null) {
      return "tick " + tick + ", no record";
    }
    String holder =
        record.claimId().equals(ClaimId.none()) ? "nobody" : Command.name(record.claimId());
    return "tick %d, %s of %s with token %d"
        .formatted(tick, record.state(), holder, record.token());
  }
}
