// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import org.jspecify.annotations.Nullable;

/**
 * Who a key belongs to instead of the claim that was refused.
 *
 * @param state the record's state, null if there is no record
 * @param token the record's fencing token, 0 if there is no record
 * @param owner the record's owner, empty if there is none
 */
public record Holder(@Nullable State state, long token, String owner) {

  private static final Holder NOBODY = new Holder(null, 0, "");

  /** Returns the holder of a key without a record. */
  public static Holder nobody() {
    return NOBODY;
  }

  /** Returns the holder that {@code record} names. */
  public static Holder of(@Nullable ClaimRecord record) {
    return record == null ? NOBODY : new Holder(record.state(), record.token(), record.owner());
  }
}
