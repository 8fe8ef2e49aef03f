// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record to write.
 *
 * @param key its key
 * @param before the record it was made from, null if there was none
 * @param next the record as it is to be
 */
record Change(StoredKey key, @Nullable ClaimRecord before, ClaimRecord next) {

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
