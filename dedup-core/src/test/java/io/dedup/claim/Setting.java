// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * One small world's bounds: who lives in it, what may happen there, and until when.
 *
 * @param name for the report
 * @param size how much of everything
 * @param policy what a claim asks for where it meets a lease that is over
 * @param start when a claim's handler starts
 * @param may what may happen beside the program of the workers
 */
record Setting(
    String name, Size size, OnLeaseExpired policy, ClaimStart start, Set<Happening> may) {

  static final IdempotencyKey KEY = IdempotencyKey.of("small world", "the only key");

  /** In ticks: so a renewal can come within a lease, at its end, and after it. */
  static final int LEASE = 2;

  /** In ticks after it was sent: how long a claim may arrive where {@link Happening#NOT_AFTER}. */
  static final int GOOD_FOR = 1;

  private static final int BACK_OFF = 1;

  /**
   * The bounds that make the world finite.
   *
   * @param workers how many processes
   * @param claims how many claim ids they use together at most
   * @param ticks the last tick of the clock
   * @param ttl how long records are kept, in ticks, at least the lease
   * @param troubles how many losses, deaths, late copies, purges and flushes there are at most;
   *     pauses are free
   */
  record Size(int workers, int claims, int ticks, int ttl, int troubles) {}

  /** What may happen beside the program of the workers. */
  enum Happening {
    /** Requests and answers get lost: executed or not, the worker does not know. */
    LOSS,
    /** Any command that was ever sent arrives again, at any time, any number of times. */
    LATE_COPIES,
    /** Workers die or give up, and come back knowing nothing. */
    CRASH,
    /** The clock passes the end of leases, of back-offs and of records. Without it, all is calm. */
    DELAY,
    /** Expired records are purged. */
    PURGE,
    /** The key is forgotten, as by a flush; the clock goes on meanwhile. */
    FLUSH,
    /** The key is forgotten, and the clock stands still meanwhile, so that tokens come again. */
    FLUSH_WITHIN_A_MICROSECOND,
    /** An operator, who knows whether the effect is done, resolves and reopens. */
    OPERATOR,
    /** Claims bear the time after which they must do nothing. */
    NOT_AFTER,
    /** Each worker has a message of its own, and all have the same key. */
    OTHER_MESSAGES,
    /** All workers but the first force their claims, each by an origin of its own. */
    FORCE,
    /** Claims are accepted only of a key that was handed out. */
    ISSUE,
    /** Failures wait before they are tried again. */
    BACK_OFF,
    /** Failures are reported, not tried again. */
    REPORT_FAILURES,
    /** Completed records are kept longer because they are met. */
    SLIDE,
    /** The probe that a successor asks has no answer, and it fails or releases its claim. */
    PROBE_FAILS,
    /** A fault of the workers: they do the effect though the answer to their start was lost. */
    RUNS_UNSTARTED,
    /** A fault of the workers: they do the effect without asking the probe. */
    RUNS_UNASKED,
    /** A fault of the workers: they do the effect though another has the key. */
    RUNS_BUSY
  }

  static Setting of(
      String name, Size size, OnLeaseExpired policy, ClaimStart start, Happening... may) {
    Set<Happening> all = EnumSet.noneOf(Happening.class);
    all.addAll(Set.of(may));
    return new Setting(name, size, policy, start, all);
  }

  boolean has(Happening happening) {
    return may.contains(happening);
  }

  /**
   * Whether workers differ in nothing but their number, so that exchanging them changes nothing.
   */
  boolean isSymmetric() {
    return !has(Happening.OTHER_MESSAGES) && !has(Happening.FORCE);
  }

  /** Whether the key is never forgotten, neither by a flush nor by its expiry. */
  boolean remembers() {
    return size.ttl() > size.ticks()
        && !has(Happening.FLUSH)
        && !has(Happening.FLUSH_WITHIN_A_MICROSECOND);
  }

  Duration lease() {
    return ticks(LEASE);
  }

  Duration ttl() {
    return ticks(size.ttl());
  }

  /** In ticks. */
  int backOff() {
    return has(Happening.BACK_OFF) ? BACK_OFF : 0;
  }

  static Duration ticks(int count) {
    return Duration.ofSeconds(count);
  }

  /** A tick is a second, so a key's tokens of one tick are far below those of the next. */
  static Instant at(int tick) {
    return Instant.ofEpochSecond(1 + tick);
  }
}
