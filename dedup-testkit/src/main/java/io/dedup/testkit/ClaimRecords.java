// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Origin;
import io.dedup.claim.StartMark;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records made out of others, as another store could hold them. */
final class ClaimRecords {

  private ClaimRecords() {}

  /** A key that is done, with nothing else to say. */
  static ClaimRecord plainlyDone(Instant now, Instant expires) {
    return new ClaimRecord(
        State.SUCCEEDED,
        new ClaimId(1, 1),
        1,
        "elsewhere",
        now,
        StartMark.STARTED,
        false,
        0,
        Fingerprint.none(),
        Origin.none(),
        List.of(),
        null,
        null,
        now,
        now,
        expires);
  }

  static ClaimRecord withToken(ClaimRecord record, long token) {
    return copy(
        record,
        record.state(),
        record.claimId(),
        token,
        record.result(),
        record.error(),
        record.expires());
  }

  /** What an operator leaves who reopens the key. */
  static ClaimRecord tombstone(ClaimRecord record, long token) {
    return copy(
        record,
        State.RELEASED,
        ClaimId.none(),
        token,
        null,
        "reopened by olga: again",
        record.expires());
  }

  static ClaimRecord done(ClaimRecord record, long token, Instant expires) {
    return copy(record, State.SUCCEEDED, record.claimId(), token, record.result(), null, expires);
  }

  private static ClaimRecord copy(
      ClaimRecord record,
      State state,
      ClaimId claimId,
      long token,
      @Nullable StoredResult result,
      @Nullable String error,
      Instant expires) {
    return new ClaimRecord(
        state,
        claimId,
        token,
        record.owner(),
        record.busyUntil(),
        record.start(),
        record.takenOver(),
        record.attempts(),
        record.fingerprint(),
        record.origin(),
        record.forced(),
        result,
        error,
        record.created(),
        record.updated(),
        expires);
  }
}
