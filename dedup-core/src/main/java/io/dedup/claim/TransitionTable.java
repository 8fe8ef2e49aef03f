// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state machine: what each request does to a key's record, as pure functions of the record, the
 * request and the store's time.
 *
 * <p>A store either calls these functions while nobody else can change the record, or does the same
 * in its own language; the store contract compares both. A test walks every schedule of a small
 * world through them. Change a rule only with a schedule that shows why.
 *
 * <p>{@code found} is the record as stored, null if there is none; one that has expired counts as
 * absent, except that its token is still exceeded. The store's time is cut to microseconds,
 * durations are rounded up to them. Thread-safe.
 */
public class TransitionTable {

  private static final TransitionTable RULES = new TransitionTable();

  /** In which order the copies of one claim were made; it never goes back in any of these. */
  private static final Comparator<ClaimRecord> PROGRESS =
      Comparator.comparingInt(TransitionTable::stage)
          .thenComparing(ClaimRecord::busyUntil)
          .thenComparing(record -> record.start().code())
          .thenComparing(record -> record.result() != null);

  /** Open only to variations in which a rule is broken, to see it noticed. */
  TransitionTable() {}

  /** Returns the table. */
  public static TransitionTable rules() {
    return RULES;
  }

  /** Decides a claim. */
  public Transition<ClaimAnswer> claim(
      @Nullable ClaimRecord found, ClaimRequest request, Instant storeTime) {
    Instant now = micros(storeTime);
    if (request.notAfter() != null && now.isAfter(request.notAfter())) {
      return Transition.unchanged(new ClaimAnswer.RequestExpired());
    }
    if (found == null || !found.isLive(now)) {
      return request.requireIssued()
          ? Transition.unchanged(new ClaimAnswer.NotIssued())
          : acquire(found, request, now, Before.nothing());
    }
    if (found.claimId().equals(request.claimId())) {
      return found.state() == State.PROCESSING
          ? acquiredBefore(found, request, now)
          : Transition.unchanged(new ClaimAnswer.Fenced(Holder.of(found)));
    }
    boolean binding = found.state() == State.PROCESSING || found.state() == State.SUCCEEDED;
    if (binding && found.fingerprint().conflictsWith(request.fingerprint())) {
      return Transition.unchanged(new ClaimAnswer.Conflict(found.fingerprint()));
    }
    return switch (found.state()) {
      case ISSUED -> acquire(found, request, now, Before.nothing());
      case RELEASED -> acquire(found, request, now, Before.released(found));
      case PROCESSING -> claimProcessing(found, request, now);
      case FAILED -> claimFailed(found, request, now);
      case SUCCEEDED -> claimSucceeded(found, request, now);
    };
  }

  /** Decides a settlement. */
  public Transition<SettleAnswer> settle(
      @Nullable ClaimRecord found, SettleRequest request, Instant storeTime) {
    Instant now = micros(storeTime);
    if (found == null || !found.isLive(now)) {
      return fenced(null);
    }
    if (!found.isHeldBy(request.claim())) {
      return fenced(found);
    }
    if (request.settlement() instanceof Settlement.Attach attach) {
      return attach(found, attach);
    }
    if (found.state() == State.PROCESSING) {
      ClaimRecord next = settled(found, request.settlement(), now);
      SettleAnswer applied = new SettleAnswer.Applied();
      return next.equals(found) ? Transition.unchanged(applied) : Transition.to(next, applied);
    }
    return isSettledSo(found.state(), request.settlement())
        ? Transition.unchanged(new SettleAnswer.Applied())
        : fenced(found);
  }

  /** Decides the hand-out of a key; the answer is whether it is issued and unused now. */
  public Transition<Boolean> issue(@Nullable ClaimRecord found, Duration ttl, Instant storeTime) {
    Durations.checkTtl(ttl);
    Instant now = micros(storeTime);
    if (found != null && found.isLive(now)) {
      return Transition.unchanged(found.state() == State.ISSUED);
    }
    return Transition.to(Records.issued(nextToken(found, 0, now), now, after(now, ttl)), true);
  }

  /** Decides a settlement by hand; see {@link ClaimStore#resolve}. */
  public Transition<SettleAnswer> resolve(
      @Nullable ClaimRecord found,
      long token,
      Resolution resolution,
      String note,
      Instant storeTime) {
    Instant now = micros(storeTime);
    if (found == null || !found.isLive(now)) {
      return fenced(null);
    }
    boolean inDoubt = found.state() == State.PROCESSING && !found.busyUntil().isAfter(now);
    if (!inDoubt || found.token() != token) {
      return fenced(found);
    }
    Records next = Records.from(found).token(nextToken(found, 0, now)).byHand(note, now);
    if (resolution instanceof Resolution.Done done) {
      next.state(State.SUCCEEDED).result(done.result()).expires(after(now, done.ttl()));
    } else {
      next.state(State.RELEASED);
    }
    return Transition.to(next.build(), new SettleAnswer.Applied());
  }

  /** Decides a reopening; see {@link ClaimStore#reopen}. */
  public Transition<SettleAnswer> reopen(
      @Nullable ClaimRecord found, String note, Instant storeTime) {
    Instant now = micros(storeTime);
    if (found == null || !found.isLive(now)) {
      return fenced(null);
    }
    if (found.state() == State.PROCESSING && found.busyUntil().isAfter(now)) {
      return fenced(found);
    }
    ClaimRecord tombstone =
        Records.from(found)
            .token(nextToken(found, 0, now))
            .byHand(note, now)
            .state(State.RELEASED)
            .build();
    return Transition.to(tombstone, new SettleAnswer.Applied());
  }

  /**
   * Decides what becomes of a record when a copy from another store arrives; the answer is whether
   * it changed.
   *
   * <p>What is done wins over what is not, whatever the tokens: it is a fact. A tombstone undoes
   * it, if its token is higher. Among two of a kind the higher token wins, and of two copies of one
   * claim the later one. A record that is done never expires earlier for being merged, and no
   * record's token becomes smaller, so that the next claim's exceeds both.
   */
  public Transition<Boolean> merge(
      @Nullable ClaimRecord found, ClaimRecord incoming, Instant storeTime) {
    Instant now = micros(storeTime);
    if (!incoming.isLive(now)) {
      return Transition.unchanged(false);
    }
    if (found == null || !found.isLive(now)) {
      return Transition.to(incoming, true);
    }
    ClaimRecord winner = wins(incoming, found) ? incoming : found;
    boolean bothDone = incoming.state() == State.SUCCEEDED && found.state() == State.SUCCEEDED;
    ClaimRecord merged =
        Records.from(winner)
            .token(Math.max(incoming.token(), found.token()))
            .expires(bothDone ? later(incoming.expires(), found.expires()) : winner.expires())
            .build();
    return merged.equals(found) ? Transition.unchanged(false) : Transition.to(merged, true);
  }

  /** Decides an extension; the answer is whether the record changed. */
  public Transition<Boolean> extend(@Nullable ClaimRecord found, Duration ttl, Instant storeTime) {
    Durations.checkTtl(ttl);
    if (found == null
        || !found.isLive(micros(storeTime))
        || found.state() != State.SUCCEEDED
        || !after(found.updated(), ttl).isAfter(found.expires())) {
      return Transition.unchanged(false);
    }
    Instant expires = after(found.updated(), ttl);
    return Transition.to(Records.from(found).expires(expires).build(), true);
  }

  private Transition<ClaimAnswer> claimProcessing(
      ClaimRecord found, ClaimRequest request, Instant now) {
    if (found.busyUntil().isAfter(now)) {
      return Transition.unchanged(inProgress(found, now));
    }
    if (found.start() == StartMark.NOT_STARTED) {
      return acquire(found, request, now, Before.neverStarted(found));
    }
    // Who was lost in a transaction has left nothing: its completion would be there, too.
    boolean inDoubt = found.start() != StartMark.IN_TRANSACTION;
    if (inDoubt && request.onLeaseExpired() == OnLeaseExpired.HOLD) {
      return Transition.unchanged(
          new ClaimAnswer.InDoubt(found.owner(), found.token(), found.busyUntil()));
    }
    return acquire(found, request, now, Before.takenOver(found));
  }

  private Transition<ClaimAnswer> claimFailed(
      ClaimRecord found, ClaimRequest request, Instant now) {
    if (found.busyUntil().isAfter(now)) {
      return Transition.unchanged(inProgress(found, now));
    }
    if (request.onFailed() == OnFailed.REPORT) {
      String error = found.error() == null ? "" : found.error();
      return Transition.unchanged(new ClaimAnswer.Failed(error, found.origin()));
    }
    return acquire(found, request, now, Before.failed(found));
  }

  private Transition<ClaimAnswer> claimSucceeded(
      ClaimRecord found, ClaimRequest request, Instant now) {
    if (request.force() && isNewToForce(found, request.origin())) {
      return acquire(found, request, now, Before.forced(found, request.origin()));
    }
    Instant expires =
        request.slide() ? later(found.expires(), after(now, request.ttl())) : found.expires();
    ClaimAnswer answer =
        new ClaimAnswer.Completed(
            found.result(), found.origin(), found.token(), found.updated(), expires);
    return expires.equals(found.expires())
        ? Transition.unchanged(answer)
        : Transition.to(Records.from(found).expires(expires).build(), answer);
  }

  private static boolean isNewToForce(ClaimRecord found, Origin origin) {
    return !origin.equals(found.origin())
        && !found.forced().contains(origin)
        && forcedWith(found, origin).size() <= ClaimRecord.FORCED_MAX;
  }

  /**
   * Remembers the origin done before, too: its redelivery is an ordinary duplicate, forced or not.
   */
  private static List<Origin> forcedWith(ClaimRecord found, Origin origin) {
    List<Origin> forced = new ArrayList<>(found.forced());
    if (!forced.contains(found.origin())) {
      forced.add(found.origin());
    }
    forced.add(origin);
    return forced;
  }

  /** The answer had been lost: the same token again, and no second attempt counted. */
  private static Transition<ClaimAnswer> acquiredBefore(
      ClaimRecord found, ClaimRequest request, Instant now) {
    if (found.busyUntil().isAfter(now)) {
      return Transition.unchanged(acquired(found, now));
    }
    ClaimRecord renewed = renewed(found, request.lease(), request.ttl(), now);
    return Transition.to(renewed, acquired(renewed, now));
  }

  private static Transition<ClaimAnswer> acquire(
      @Nullable ClaimRecord found, ClaimRequest request, Instant now, Before before) {
    boolean startsNow = request.start().mark().isStarted();
    ClaimRecord live = found != null && found.isLive(now) ? found : null;
    Instant busyUntil = after(now, request.lease());
    Instant expires = after(busyUntil, request.ttl());
    ClaimRecord record =
        new ClaimRecord(
            State.PROCESSING,
            request.claimId(),
            nextToken(found, request.tokenFloor(), now),
            request.owner(),
            busyUntil,
            request.start().mark(),
            before.takenOver(),
            before.attempts() + (startsNow ? 1 : 0),
            request.fingerprint(),
            request.origin(),
            before.forced(),
            null,
            null,
            live == null ? now : live.created(),
            now,
            live == null ? expires : later(live.expires(), expires));
    return Transition.to(record, acquired(record, now));
  }

  private static ClaimAnswer acquired(ClaimRecord record, Instant now) {
    int attempt = record.attempts() + (record.start().isStarted() ? 0 : 1);
    Duration left = Duration.between(now, record.busyUntil());
    return new ClaimAnswer.Acquired(record.token(), attempt, record.takenOver(), left);
  }

  private static ClaimAnswer inProgress(ClaimRecord found, Instant now) {
    Duration left = Duration.between(now, found.busyUntil());
    return new ClaimAnswer.InProgress(found.owner(), left, found.origin());
  }

  private static ClaimRecord settled(ClaimRecord found, Settlement settlement, Instant now) {
    if (settlement instanceof Settlement.Start) {
      return found.start().isStarted()
          ? found
          : Records.from(found).start(StartMark.STARTED).attempts(found.attempts() + 1).build();
    }
    if (settlement instanceof Settlement.Renew renew) {
      return renewed(found, renew.lease(), renew.ttl(), now);
    }
    if (settlement instanceof Settlement.Complete complete) {
      return Records.from(found)
          .state(State.SUCCEEDED)
          .changed(now)
          .attempts(0)
          .result(complete.result())
          .expires(after(now, complete.ttl()))
          .build();
    }
    if (settlement instanceof Settlement.Fail fail) {
      return Records.from(found)
          .state(State.FAILED)
          .changed(now)
          .busyUntil(after(now, fail.backOff()))
          .attempts(0)
          .error(fail.error())
          .expires(after(now, fail.ttl()))
          .build();
    }
    // A release of what was not known to start tells nothing about starts before it.
    return Records.from(found)
        .state(State.RELEASED)
        .changed(now)
        .attempts(found.start().isStarted() ? 0 : found.attempts())
        .build();
  }

  private static ClaimRecord renewed(ClaimRecord found, Duration lease, Duration ttl, Instant now) {
    Instant busyUntil = later(found.busyUntil(), after(now, lease));
    return Records.from(found)
        .busyUntil(busyUntil)
        .expires(later(found.expires(), after(busyUntil, ttl)))
        .build();
  }

  private static Transition<SettleAnswer> attach(ClaimRecord found, Settlement.Attach attach) {
    if (found.state() != State.SUCCEEDED) {
      return fenced(found);
    }
    if (found.result() == null) {
      ClaimRecord next = Records.from(found).result(attach.result()).build();
      return Transition.to(next, new SettleAnswer.Applied());
    }
    return attach.result().equals(found.result())
        ? Transition.unchanged(new SettleAnswer.Applied())
        : fenced(found);
  }

  /** Whether the settlement is a copy of the one that brought the record into its state. */
  private static boolean isSettledSo(State state, Settlement settlement) {
    return switch (state) {
      case SUCCEEDED -> settlement instanceof Settlement.Complete;
      case FAILED -> settlement instanceof Settlement.Fail;
      case RELEASED -> settlement instanceof Settlement.Release;
      case ISSUED, PROCESSING -> false;
    };
  }

  private static Transition<SettleAnswer> fenced(@Nullable ClaimRecord found) {
    return Transition.unchanged(new SettleAnswer.Fenced(Holder.of(found)));
  }

  private static boolean wins(ClaimRecord incoming, ClaimRecord found) {
    boolean incomingDone = incoming.state() == State.SUCCEEDED;
    boolean foundDone = found.state() == State.SUCCEEDED;
    if (incomingDone && !foundDone && !found.isTombstone()) {
      return true;
    }
    if (foundDone && !incomingDone && !incoming.isTombstone()) {
      return false;
    }
    if (incoming.token() == found.token()) {
      // A tombstone has no claim: it stays against an equal token, and never comes back by one.
      boolean sameClaim =
          incoming.claimId().equals(found.claimId()) && !found.claimId().equals(ClaimId.none());
      return sameClaim && PROGRESS.compare(incoming, found) > 0;
    }
    return incoming.token() > found.token();
  }

  private static int stage(ClaimRecord record) {
    return switch (record.state()) {
      case ISSUED, PROCESSING -> 0;
      case RELEASED, FAILED -> 1;
      case SUCCEEDED -> 2;
    };
  }

  /**
   * Larger than any token of the key, also after a purge or a flush, as long as the clock does not
   * step back.
   */
  private static long nextToken(@Nullable ClaimRecord found, long floor, Instant now) {
    long afterPrevious = found == null ? 1 : found.token() + 1;
    return Math.max(Math.max(afterPrevious, floor), ChronoUnit.MICROS.between(Instant.EPOCH, now));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** Rounded up to microseconds: nothing is held or kept for less than was asked. */
  private static Instant after(Instant time, Duration duration) {
    Instant exact = time.plus(duration);
    Instant cut = micros(exact);
    return cut.equals(exact) ? cut : cut.plus(1, ChronoUnit.MICROS);
  }

  private static Instant micros(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** What a new claim inherits from the record it finds. */
  private record Before(boolean takenOver, int attempts, List<Origin> forced) {

    static Before nothing() {
      return new Before(false, 0, List.of());
    }

    /**
     * A release or a failure tells what its own claim did not do. The doubt about claims before it
     * stays: whoever it was may still have done the effect, or be about to.
     */
    static Before released(ClaimRecord found) {
      return new Before(found.takenOver(), found.attempts(), found.forced());
    }

    static Before failed(ClaimRecord found) {
      return new Before(found.takenOver(), 0, found.forced());
    }

    /** Who never started leaves the doubt about those before it as it was. */
    static Before neverStarted(ClaimRecord found) {
      return new Before(found.takenOver(), found.attempts(), found.forced());
    }

    static Before takenOver(ClaimRecord found) {
      return new Before(true, found.attempts(), found.forced());
    }

    static Before forced(ClaimRecord found, Origin origin) {
      return new Before(false, 0, forcedWith(found, origin));
    }
  }
}
