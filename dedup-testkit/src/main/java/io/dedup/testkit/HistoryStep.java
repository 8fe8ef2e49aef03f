// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStart;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import java.time.Duration;
import java.util.List;

/**
 * One step of a random history, free of anything that only a run can know: keys, owners, claims and
 * copies are numbers, so that a step means something wherever it stands, and a history stays one
 * when steps are taken out of it.
 */
sealed interface HistoryStep {

  /** Settles and claims in one batch. */
  record Batch(List<SettlePart> settlements, List<ClaimPart> claims) implements HistoryStep {}

  /** Sends an earlier batch again, unchanged. */
  record Resend(int batch) implements HistoryStep {}

  /** Hands out a key. */
  record Issue(int key, Duration ttl) implements HistoryStep {}

  /** Resolves a key by hand, with its own token or one that is {@code tokenOff} away from it. */
  record Resolve(int key, int tokenOff, Ending ending) implements HistoryStep {}

  /** Reopens a key. */
  record Reopen(int key) implements HistoryStep {}

  /** Forgets a key. */
  record Forget(int key) implements HistoryStep {}

  /** Keeps a copy of a key's record, to be merged later. */
  record Copy(int key) implements HistoryStep {}

  /** Merges a copy into a key, made into something else, its token changed by {@code tokenOff}. */
  record Merge(int key, int copy, Making making, int tokenOff) implements HistoryStep {}

  /** Extends some keys, or all keys of the scope if none is named. */
  record Extend(List<Integer> keys, Duration ttl) implements HistoryStep {}

  /** Purges. */
  record Purge(int limit) implements HistoryStep {}

  /** Lets time pass. */
  record Advance(Duration step) implements HistoryStep {}

  /** Lets time pass until {@code off} from a moment that matters to a key, if that is ahead. */
  record AdvanceTo(int key, Moment moment, Duration off) implements HistoryStep {}

  /** The moments at which a record changes its meaning. */
  enum Moment {
    BUSY_UNTIL,
    EXPIRES
  }

  /** What becomes of a copy before it is merged. */
  enum Making {
    AS_IT_IS,
    TOMBSTONE,
    DONE,
    DONE_FOR_LONG
  }

  /** The ways to settle a claim. */
  enum Ending {
    START,
    RENEW,
    COMPLETE,
    COMPLETE_WITH_RESULT,
    ATTACH,
    ATTACH_ANOTHER,
    FAIL,
    FAIL_WITH_BACK_OFF,
    RELEASE
  }

  /**
   * A settlement of the claim with this number, counted back from the newest: of those acquired, or
   * of all.
   */
  record SettlePart(int claim, boolean acquired, Ending ending, Duration ttl) {}

  /** A claim. */
  record ClaimPart(
      int key,
      int owner,
      int origin,
      int fingerprint,
      Duration lease,
      Duration ttl,
      int floorAheadMicros,
      NotAfter notAfter,
      boolean requireIssued,
      boolean force,
      boolean slide,
      ClaimStart start,
      OnLeaseExpired onLeaseExpired,
      OnFailed onFailed) {}

  /** The limit of a claim's validity, seen from the moment it is sent first. */
  enum NotAfter {
    NEVER,
    JUST_OVER,
    NOW,
    AT_LEASE_END
  }
}
