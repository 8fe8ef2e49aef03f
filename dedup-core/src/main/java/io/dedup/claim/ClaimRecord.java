// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.Fingerprint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a store keeps of one key. Times are the store's, in microseconds.
 *
 * @param state the state
 * @param claimId the newest claim, {@link ClaimId#none()} if no claim holds the record
 * @param token the newest fencing token
 * @param owner who claimed, for people; empty if no claim holds the record
 * @param busyUntil while {@code PROCESSING}, the end of the lease; while {@code FAILED}, the end of
 *     the back-off; else the time of the last change
 * @param start whether the handler started
 * @param takenOver whether a claim before the newest may have started and never settled
 * @param attempts handlers started since the last answered settlement
 * @param fingerprint of the message the key stands for
 * @param origin of the delivery that the newest claim works on, or worked on
 * @param forced origins that need not be forced again, at most {@value #FORCED_MAX}
 * @param result what the effect answered, null unless it is done and answered
 * @param error the stored failure, or who settled or reopened the key by hand and why; null if
 *     neither
 * @param created when the key was first claimed or issued
 * @param updated when the state last changed
 * @param expires when the record counts as absent
 */
public record ClaimRecord(
    State state,
    ClaimId claimId,
    long token,
    String owner,
    Instant busyUntil,
    StartMark start,
    boolean takenOver,
    int attempts,
    Fingerprint fingerprint,
    Origin origin,
    List<Origin> forced,
    @Nullable StoredResult result,
    @Nullable String error,
    Instant created,
    Instant updated,
    Instant expires) {

  /** How many origins a record remembers as forced; a key that is full is not forced again. */
  public static final int FORCED_MAX = 8;

  /** Copies the list. */
  public ClaimRecord {
    forced = List.copyOf(forced);
  }

  /**
   * Returns whether this is what {@link ClaimStore#reopen} left: a successor that undoes what
   * copies say.
   */
  public boolean isTombstone() {
    return state == State.RELEASED && claimId.equals(ClaimId.none());
  }

  boolean isLive(Instant now) {
    return expires.isAfter(now);
  }

  boolean isHeldBy(Claim claim) {
    return claimId.equals(claim.id()) && token == claim.token();
  }
}
