// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.State;
import io.dedup.claim.TransitionTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A claim as a row of the statement that inserts the absent ones: row "absent" of the transition
 * table, in SQL.
 *
 * @param key the stored form of its key
 * @param request the claim
 */
record NewClaim(StoredKey key, ClaimRequest request) {

  static final List<Rows.Column> COLUMNS =
      List.of(
          new Rows.Column("k", Rows.Kind.BYTES),
          new Rows.Column("claim_id", Rows.Kind.BYTES),
          new Rows.Column("owner", Rows.Kind.TEXT),
          new Rows.Column("origin", Rows.Kind.BYTES),
          new Rows.Column("token_floor", Rows.Kind.LONG),
          new Rows.Column("lease", Rows.Kind.LONG),
          new Rows.Column("ttl", Rows.Kind.LONG),
          new Rows.Column("not_after", Rows.Kind.LONG),
          new Rows.Column("attempts", Rows.Kind.LONG),
          new Rows.Column("start_mark", Rows.Kind.LONG),
          new Rows.Column("fp_algorithm", Rows.Kind.LONG),
          new Rows.Column("fp_value", Rows.Kind.LONG));

  /** The columns that the statement fills; of the others, a new claim has none. */
  static final String INSERTED =
      "dedup_key, format, state, token, fp_value, busy_until, created, updated, expires, attempts,"
          + " start_mark, taken_over, fp_algorithm, claim_id, origin, owner";

  /** The values of {@link #INSERTED}. */
  static final String VALUES =
      "a.k, "
          + RecordRow.FORMAT
          + ", "
          + State.PROCESSING.code()
          + ", GREATEST(a.token_floor, c.now_us, 1), a.fp_value, c.now_us + a.lease, c.now_us, c.now_us,"
          + " c.now_us + a.lease + a.ttl, a.attempts, a.start_mark, 0, a.fp_algorithm, a.claim_id,"
          + " a.origin, a.owner";

  Decision<ClaimAnswer> decision(TransitionTable rules) {
    return (found, now) -> rules.claim(found, request, now);
  }

  @Nullable Object[] row() {
    return new @Nullable Object[] {
      key.bytes(),
      request.claimId().toBytes(),
      request.owner(),
      request.origin().toBytes(),
      request.tokenFloor(),
      Micros.of(request.lease()),
      Micros.of(request.ttl()),
      request.notAfter() == null ? Long.MAX_VALUE : Micros.of(request.notAfter()),
      request.start().mark().isStarted() ? 1L : 0L,
      (long) request.start().mark().code(),
      (long) request.fingerprint().algorithm(),
      request.fingerprint().value()
    };
  }
}
