// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The table with one rule bent; all others are the real ones. */
final class BentTable extends TransitionTable {

  /** Decides a claim otherwise. */
  @FunctionalInterface
  interface ClaimRule {
    Transition<ClaimAnswer> of(
        TransitionTable rules, @Nullable ClaimRecord found, ClaimRequest request, Instant now);
  }

  /** Decides a settlement otherwise. */
  @FunctionalInterface
  interface SettleRule {
    Transition<SettleAnswer> of(
        TransitionTable rules, @Nullable ClaimRecord found, SettleRequest request, Instant now);
  }

  private final ClaimRule claim;
  private final SettleRule settle;

  private BentTable(ClaimRule claim, SettleRule settle) {
    this.claim = claim;
    this.settle = settle;
  }

  static TransitionTable claims(ClaimRule rule) {
    return new BentTable(rule, TransitionTable::settle);
  }

  static TransitionTable settlements(SettleRule rule) {
    return new BentTable(TransitionTable::claim, rule);
  }

  @Override
  public Transition<ClaimAnswer> claim(
      @Nullable ClaimRecord found, ClaimRequest request, Instant storeTime) {
    return claim.of(rules(), found, request, storeTime);
  }

  @Override
  public Transition<SettleAnswer> settle(
      @Nullable ClaimRecord found, SettleRequest request, Instant storeTime) {
    return settle.of(rules(), found, request, storeTime);
  }

  /** Judges a claim by the real rules, as if something else had been asked. */
  static ClaimRule asked(UnaryOperator<ClaimRequest.Builder> change) {
    return (rules, found, request, now) ->
        rules.claim(found, change.apply(builder(request)).build(), now);
  }

  /**
   * Judges a claim by the real rules, as if a record in some state, of another claim, were another.
   */
  static ClaimRule found(State state, UnaryOperator<Records> change) {
    return (rules, found, request, now) ->
        rules.claim(
            is(found, state) && !isOf(found, request) ? changed(found, change) : found,
            request,
            now);
  }

  private static ClaimRequest.Builder builder(ClaimRequest r) {
    return ClaimRequest.builder(r.key(), r.owner(), r.lease(), r.ttl())
        .claimId(r.claimId())
        .fingerprint(r.fingerprint())
        .origin(r.origin())
        .tokenFloor(r.tokenFloor())
        .notAfter(r.notAfter())
        .requireIssued(r.requireIssued())
        .force(r.force())
        .slide(r.slide())
        .start(r.start())
        .onLeaseExpired(r.onLeaseExpired())
        .onFailed(r.onFailed());
  }

  static boolean is(@Nullable ClaimRecord found, State state) {
    return found != null && found.state() == state;
  }

  static boolean isOf(@Nullable ClaimRecord found, ClaimRequest request) {
    return found != null && found.claimId().equals(request.claimId());
  }

  /** Whether another claim has the key and its lease is over. */
  static boolean isOver(@Nullable ClaimRecord found, ClaimRequest request, Instant now) {
    return is(found, State.PROCESSING)
        && !isOf(found, request)
        && found.isLive(now)
        && !found.busyUntil().isAfter(now);
  }

  static ClaimRecord changed(ClaimRecord record, UnaryOperator<Records> change) {
    return change.apply(Records.from(record)).build();
  }

  static ClaimRecord heldBy(ClaimRecord r, ClaimId claimId) {
    return with(r, claimId, r.takenOver());
  }

  static ClaimRecord withoutDoubt(ClaimRecord r) {
    return with(r, r.claimId(), false);
  }

  private static ClaimRecord with(ClaimRecord r, ClaimId claimId, boolean takenOver) {
    return new ClaimRecord(
        r.state(),
        claimId,
        r.token(),
        r.owner(),
        r.busyUntil(),
        r.start(),
        takenOver,
        r.attempts(),
        r.fingerprint(),
        r.origin(),
        r.forced(),
        r.result(),
        r.error(),
        r.created(),
        r.updated(),
        r.expires());
  }

  static Transition<ClaimAnswer> completed(ClaimRecord found) {
    return Transition.unchanged(
        new ClaimAnswer.Completed(
            Command.RESULT, found.origin(), found.token(), found.updated(), found.expires()));
  }
}
