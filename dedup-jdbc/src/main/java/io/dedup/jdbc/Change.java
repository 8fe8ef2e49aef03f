// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record to write.
 *
 * @param key its key
 * @param before the record it was made from, null if there was none
 * @param next the record as it is to be
 */
record Change(StoredKey key, @Nullable ClaimRecord before, ClaimRecord next) {

  /** What {@link #row} consists of: the key, the record, and what is there before it. */
  static final List<Rows.Column> COLUMNS =
      Stream.of(
              Stream.of(new Rows.Column("k", Rows.Kind.BYTES)),
              RecordRow.COLUMNS.stream(),
              Stream.of(
                  new Rows.Column("claim_id_before", Rows.Kind.BYTES),
                  new Rows.Column("token_before", Rows.Kind.LONG),
                  new Rows.Column("state_before", Rows.Kind.LONG)))
          .flatMap(columns -> columns)
          .toList();

  @Nullable Object[] row() {
    ClaimRecord replaced = replaced();
    return Stream.of(
            Stream.of(key.bytes()),
            Arrays.stream(RecordRow.values(next)),
            Stream.of(
                replaced.claimId().toBytes(), replaced.token(), (long) replaced.state().code()))
        .flatMap(values -> values)
        .toArray();
  }

  ClaimRecord replaced() {
    return Objects.requireNonNull(before, "before");
  }

  /** Returns whether {@code found} is what this change wrote, or would have written. */
  boolean isIn(ClaimRecord found) {
    return found.state() == next.state()
        && found.token() == next.token()
        && found.claimId().equals(next.claimId());
  }
}
