// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Command.Verb;
import io.dedup.claim.Setting.Happening;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that works on a delivery of the message: it claims, starts, does the effect once, and
 * settles. It may be paused between any two steps, simply because others take theirs, and goes on
 * believing what it believed.
 *
 * @param number from 0
 * @param phase how far it is
 * @param claims how many claim ids it has used, in all its lives
 * @param unanswered what it has sent and has no answer to, null if nothing
 * @param token the token of its claim, 0 if it has none
 * @param takenOver whether its claim was answered so, where that makes it ask a probe
 * @param wasDone whether the effect was done, by anybody, before its claim was answered, likewise
 * @param seen the largest token it has seen in this life, if that is part of the world
 */
record Worker(
    int number,
    Phase phase,
    int claims,
    @Nullable Command unanswered,
    long token,
    boolean takenOver,
    boolean wasDone,
    long seen) {

  enum Phase {
    /** Has no claim. */
    IDLE,
    /** Has sent something and waits for the answer. */
    WAITING,
    /** Has the claim and not started. */
    CLAIMED,
    /** Took over, and has to ask the probe before it starts. */
    PROBING,
    /** May do the effect. */
    RUNNING,
    /** The effect is done. */
    RAN,
    /** Knows that the effect is done and stored: it acknowledges its delivery. */
    FINISHED
  }

  static Worker idle(int number) {
    return new Worker(number, Phase.IDLE, 0, null, 0, false, false, 0);
  }

  ClaimId claimId() {
    return new ClaimId(number + 1, claims);
  }

  /** What it may send next. */
  List<Command> commands(int now, Setting setting) {
    List<Command> commands = new ArrayList<>();
    switch (phase) {
      case IDLE -> {
        int limit = setting.has(Happening.NOT_AFTER) ? now + Setting.GOOD_FOR : Command.NO_LIMIT;
        commands.add(new Command(Verb.CLAIM, new ClaimId(number + 1, claims + 1), floor(), limit));
      }
      case WAITING -> commands.add(unanswered);
      case CLAIMED -> add(commands, Verb.START, Verb.RENEW, Verb.RELEASE);
      case PROBING -> {
        add(commands, Verb.RENEW);
        if (setting.has(Happening.PROBE_FAILS)) {
          add(commands, Verb.FAIL, Verb.RELEASE);
        }
      }
      case RUNNING -> add(commands, Verb.RENEW, Verb.FAIL, Verb.RELEASE);
      case RAN -> add(commands, Verb.RENEW, Verb.COMPLETE);
      case FINISHED -> {}
    }
    return commands;
  }

  /** The smallest token that is new to it. */
  private long floor() {
    return seen == 0 ? 0 : seen + 1;
  }

  private void add(List<Command> commands, Verb... verbs) {
    for (Verb verb : verbs) {
      commands.add(new Command(verb, claimId(), token, Command.NO_LIMIT));
    }
  }

  /** Sent, and no answer came. A renewal is not waited for: it only makes the lease last longer. */
  Worker waiting(Command command, Setting setting) {
    if (command.verb() == Verb.RENEW) {
      return this;
    }
    if (command.verb() == Verb.START && setting.has(Happening.RUNS_UNSTARTED)) {
      return in(Phase.RUNNING);
    }
    int used = command.isClaim() ? (int) command.claimId().sequence() : claims;
    return new Worker(number, Phase.WAITING, used, command, token, takenOver, wasDone, seen);
  }

  Worker answered(ClaimAnswer answer, boolean effectIsDone, int now, Setting setting) {
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      long largest =
          setting.has(Happening.FLUSH_WITHIN_A_MICROSECOND) ? Math.max(seen, acquired.token()) : 0;
      boolean probes = setting.policy() == OnLeaseExpired.PROBE;
      return new Worker(
              number,
              Phase.CLAIMED,
              claims,
              null,
              acquired.token(),
              probes && acquired.takenOver(),
              probes && effectIsDone,
              largest)
          .claimed(setting);
    }
    if (answer instanceof ClaimAnswer.Completed) {
      return in(Phase.FINISHED);
    }
    if (answer instanceof ClaimAnswer.RequestExpired && unanswered != null) {
      // Nothing was changed: the same claim goes out again, with a better idea of the store's time.
      return waiting(
          new Command(Verb.CLAIM, claimId(), unanswered.token(), now + Setting.GOOD_FOR), setting);
    }
    if (answer instanceof ClaimAnswer.InProgress && setting.has(Happening.RUNS_BUSY)) {
      return in(Phase.RUNNING);
    }
    return in(Phase.IDLE);
  }

  Worker answered(Verb verb, SettleAnswer answer) {
    boolean applied = answer instanceof SettleAnswer.Applied;
    return switch (verb) {
      case START -> in(applied ? Phase.RUNNING : Phase.IDLE);
      // Who has lost its lease stops, unless the effect is done: then the token decides what
      // counts.
      case RENEW -> applied || phase == Phase.RAN ? this : in(Phase.IDLE);
      case COMPLETE -> in(applied ? Phase.FINISHED : Phase.IDLE);
      case FAIL, RELEASE -> in(Phase.IDLE);
      case CLAIM -> throw new IllegalStateException("a claim settles nothing");
    };
  }

  /** A probe is asked before anything else; then the start is stored, if it is stored by itself. */
  private Worker claimed(Setting setting) {
    return takenOver && !setting.has(Happening.RUNS_UNASKED)
        ? in(Phase.PROBING)
        : probed(false, setting);
  }

  Worker probed(boolean effectIsDone, Setting setting) {
    if (effectIsDone) {
      return in(Phase.RAN);
    }
    return in(setting.start() == ClaimStart.RECORDED_LATER ? Phase.CLAIMED : Phase.RUNNING);
  }

  Worker ran() {
    return in(Phase.RAN);
  }

  /**
   * Dead, or given up, or its acknowledgement was lost: the record is delivered again, to somebody
   * who knows nothing.
   */
  Worker reborn() {
    return new Worker(number, Phase.IDLE, claims, null, 0, false, false, 0);
  }

  private Worker in(Phase next) {
    return next == Phase.IDLE || next == Phase.FINISHED
        ? new Worker(number, next, claims, null, 0, false, false, seen)
        : new Worker(number, next, claims, null, token, takenOver, wasDone, seen);
  }

  @Override
  public String toString() {
    return "worker " + (number + 1);
  }
}
