// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.State;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key. Times are the store's.
 *
 * @param state absent, issued, processing, succeeded, failed or released
 * @param meaning what that means for the next delivery
 * @param attempts handlers started since the last answered settlement
 * @param token the newest fencing token, which {@code dedup.trace} shows in logs
 * @param owner who claimed the key last
 * @param origin where the delivery came from that did, or does, the work
 * @param created when the key was first claimed
 * @param updated when its state last changed
 * @param busyUntil the end of the lease, or of the back-off
 * @param expires when it is forgotten
 * @param takenOver whether a worker was lost before the newest claim
 * @param note the stored failure, or who decided by hand and why
 */
public record KeyReport(
    String state,
    String meaning,
    int attempts,
    @Nullable Long token,
    @Nullable String owner,
    @Nullable String origin,
    @Nullable Instant created,
    @Nullable Instant updated,
    @Nullable Instant busyUntil,
    @Nullable Instant expires,
    boolean takenOver,
    @Nullable String note) {

  static KeyReport absent() {
    return new KeyReport(
        "absent",
        "not claimed, or forgotten: the next delivery runs",
        0,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        false,
        null);
  }

  static KeyReport of(ClaimRecord record) {
    boolean busy = record.state() == State.PROCESSING || record.state() == State.FAILED;
    return new KeyReport(
        record.state().name().toLowerCase(Locale.ROOT),
        meaning(record.state()),
        record.attempts(),
        record.token(),
        record.owner().isEmpty() ? null : record.owner(),
        record.origin().toString(),
        record.created(),
        record.updated(),
        busy ? record.busyUntil() : null,
        record.expires(),
        record.takenOver(),
        record.error());
  }

  private static String meaning(State state) {
    return switch (state) {
      case ISSUED -> "handed out and not used: the next delivery runs";
      case PROCESSING ->
          "claimed: others wait until busyUntil, and then run, or wait for an operator where the"
              + " policy is to hold";
      case SUCCEEDED -> "done: every further delivery is skipped until it expires";
      case FAILED -> "failed: the next delivery runs after busyUntil, or gets the failure";
      case RELEASED -> "given back or reopened: the next delivery runs";
    };
  }
}
