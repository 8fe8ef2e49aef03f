// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.claim.Command.Verb;
import io.dedup.claim.Setting.Happening;
import org.jspecify.annotations.Nullable;

/**
 * What the store's answers have promised so far, kept apart from the store's records: each answer
 * is judged by what the ledger says, then written into a copy of it. It counts in ticks.
 */
final class Ledger {

  /** How the key stands, by the answers. */
  enum Standing {
    ABSENT,
    ISSUED,
    OPEN,
    DONE,
    FAILED,
    FREE
  }

  Standing standing = Standing.ABSENT;

  /** The claim that acquired the key last; null if none holds the record. */
  @Nullable ClaimId newest;

  /** The token it was answered with. */
  long token;

  /** When its lease ends, or the back-off of its failure. */
  int busyUntil;

  /** Until when the record must be there. */
  int keptUntil;

  /** What its worker has told of its start. */
  StartMark start = StartMark.NOT_STARTED;

  /** Whether a claim before it may have started and never settled. */
  boolean doubt;

  /** The starts since the last answered settlement. */
  int starts;

  /** A bit for each worker whose origin has forced the key or done it, where claims are forced. */
  int forced;

  /** The largest token that was ever answered. */
  long highest;

  Ledger copy() {
    Ledger copy = forgotten();
    copy.standing = standing;
    copy.newest = newest;
    copy.token = token;
    copy.busyUntil = busyUntil;
    copy.keptUntil = keptUntil;
    copy.start = start;
    copy.doubt = doubt;
    copy.starts = starts;
    copy.forced = forced;
    return copy;
  }

  /** Of a key without a record, all that is known is which tokens there were. */
  Ledger forgotten() {
    Ledger empty = new Ledger();
    empty.highest = highest;
    return empty;
  }

  boolean isForced(ClaimId claim) {
    return (forced & bit(claim)) != 0;
  }

  boolean mayHaveStarted() {
    return start != StartMark.NOT_STARTED || doubt;
  }

  boolean isLeaseOver(int now) {
    return standing == Standing.OPEN && now >= busyUntil;
  }

  /** Judges the answer to a claim, and writes it down. */
  Ledger claimed(Command claim, ClaimAnswer answer, boolean changed, int now, Setting setting) {
    Due due = Due.to(claim, this, now, setting);
    due.rule().check(due.answer().isInstance(answer), answer);
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      return claim.claimId().equals(newest)
          ? acquiredAgain(acquired, now, setting)
          : acquiredAnew(claim, acquired, now, setting);
    }
    if (answer instanceof ClaimAnswer.Completed completed) {
      Invariant.DONE_MEANS_EFFECT.check(Command.RESULT.equals(completed.result()), completed);
      if (setting.has(Happening.SLIDE)) {
        Ledger next = copy();
        next.keptUntil = Math.max(keptUntil, now + setting.size().ttl());
        return next;
      }
    }
    Invariant.NOTHING_ELSE_CHANGES.check(!changed, answer);
    return this;
  }

  private Ledger acquiredAgain(ClaimAnswer.Acquired answer, int now, Setting setting) {
    Invariant.RESEND_SAME_ANSWER.check(answer.token() == token, answer);
    Ledger next = copy();
    if (now >= busyUntil) {
      next.lease(now, setting);
    }
    next.checkAcquired(answer, now);
    return next;
  }

  private Ledger acquiredAnew(
      Command claim, ClaimAnswer.Acquired answer, int now, Setting setting) {
    Invariant.TOKENS_GROW.check(
        answer.token() > highest || setting.has(Happening.FLUSH_WITHIN_A_MICROSECOND), answer);
    Invariant.TOKEN_ABOVE_FLOOR.check(answer.token() >= claim.token(), answer);
    Ledger next = copy();
    next.standing = Standing.OPEN;
    next.newest = claim.claimId();
    next.token = answer.token();
    next.highest = Math.max(highest, answer.token());
    next.doubt = standing == Standing.OPEN ? mayHaveStarted() : doubt;
    next.start = StartMark.NOT_STARTED;
    if (standing == Standing.DONE) {
      next.remember(claim.claimId(), setting);
    }
    if (setting.start() == ClaimStart.NOW) {
      next.starting();
    } else {
      next.start = setting.start().mark();
    }
    next.lease(now, setting);
    next.checkAcquired(answer, now);
    return next;
  }

  private void checkAcquired(ClaimAnswer.Acquired answer, int now) {
    Invariant.LEASE_IS_GIVEN.check(
        answer.leaseLeft().equals(Setting.ticks(busyUntil - now)), answer);
    Invariant.TAKEOVER_IS_TOLD.check(answer.takenOver() == doubt, answer);
    int attempt = start == StartMark.STARTED ? starts : starts + 1;
    Invariant.ATTEMPTS_COUNT_STARTS.check(answer.attempt() == attempt, answer);
  }

  /** Judges the answer to a settlement, and writes it down. */
  Ledger settled(Command settle, SettleAnswer answer, boolean changed, int now, Setting setting) {
    boolean applied = answer instanceof SettleAnswer.Applied;
    if (!settle.claimId().equals(newest) || settle.token() != token) {
      Invariant.STALE_SETTLEMENT_CHANGES_NOTHING.check(!applied && !changed, answer);
      return this;
    }
    if (standing == Standing.OPEN) {
      Invariant.NEWEST_CLAIM_SETTLES.check(applied, answer);
      Ledger next = copy();
      next.write(settle.verb(), now, setting);
      return next;
    }
    if (standing == after(settle.verb())) {
      Invariant.RESEND_SAME_ANSWER.check(applied && !changed, answer);
    } else {
      Invariant.SETTLED_ONCE.check(!applied && !changed, answer);
    }
    return this;
  }

  private void write(Verb verb, int now, Setting setting) {
    standing = after(verb);
    boolean started = start == StartMark.STARTED;
    switch (verb) {
      case START -> {
        if (!started) {
          starting();
        }
      }
      case RENEW -> lease(now, setting);
      case COMPLETE -> {
        keptUntil = now + setting.size().ttl();
        busyUntil = now;
        starts = 0;
        doubt = false;
        remember(newest, setting);
      }
      case FAIL -> {
        keptUntil = now + setting.size().ttl();
        busyUntil = now + setting.backOff();
        starts = 0;
      }
      case RELEASE -> {
        busyUntil = now;
        starts = started ? 0 : starts;
      }
      case CLAIM -> throw new IllegalStateException("a claim settles nothing");
    }
  }

  private static Standing after(Verb verb) {
    return switch (verb) {
      case COMPLETE -> Standing.DONE;
      case FAIL -> Standing.FAILED;
      case RELEASE -> Standing.FREE;
      case CLAIM, START, RENEW -> Standing.OPEN;
    };
  }

  /** Judges the answer to a hand-out, and writes it down: only an absent key is changed by it. */
  Ledger issued(boolean answer, boolean changed, int now, Setting setting) {
    boolean unused = standing == Standing.ABSENT || standing == Standing.ISSUED;
    Invariant.ONLY_ISSUED_KEYS.check(answer == unused, answer);
    if (standing != Standing.ABSENT) {
      Invariant.NOTHING_ELSE_CHANGES.check(!changed, answer);
      return this;
    }
    Ledger next = copy();
    next.standing = Standing.ISSUED;
    next.keptUntil = now + setting.size().ttl();
    return next;
  }

  /**
   * Writes down that an operator has settled the key: no claim holds it, and nothing is in doubt.
   */
  Ledger byHand(Standing to, int now, Setting setting) {
    Ledger next = copy();
    next.standing = to;
    next.newest = null;
    next.token = 0;
    next.doubt = false;
    next.starts = 0;
    if (to == Standing.DONE) {
      next.keptUntil = now + setting.size().ttl();
    }
    return next;
  }

  /** Judges the record by what it must be, and drops what its end makes void. */
  Ledger checked(@Nullable ClaimRecord record, int now) {
    if (record == null || !record.expires().isAfter(Setting.at(now))) {
      Invariant.RECORD_IS_KEPT.check(now >= keptUntil, "gone before tick " + keptUntil);
      return standing == Standing.ABSENT ? this : forgotten();
    }
    boolean asAnswered = record.state() == state();
    Invariant.DONE_STAYS_DONE.check(standing != Standing.DONE || asAnswered, record);
    Invariant.NOTHING_ELSE_CHANGES.check(asAnswered, record);
    Invariant.ATTEMPTS_COUNT_STARTS.check(record.attempts() == starts, record);
    return this;
  }

  private @Nullable State state() {
    return switch (standing) {
      case ABSENT -> null;
      case ISSUED -> State.ISSUED;
      case OPEN -> State.PROCESSING;
      case DONE -> State.SUCCEEDED;
      case FAILED -> State.FAILED;
      case FREE -> State.RELEASED;
    };
  }

  private void lease(int now, Setting setting) {
    busyUntil = Math.max(busyUntil, now + Setting.LEASE);
    keptUntil = Math.max(keptUntil, busyUntil + setting.size().ttl());
  }

  private void starting() {
    start = StartMark.STARTED;
    starts++;
  }

  private void remember(@Nullable ClaimId claim, Setting setting) {
    if (claim != null && setting.has(Happening.FORCE)) {
      forced |= bit(claim);
    }
  }

  private static int bit(ClaimId claim) {
    return 1 << claim.process();
  }
}
