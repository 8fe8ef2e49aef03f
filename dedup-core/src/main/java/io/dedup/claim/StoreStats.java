// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Map;

/**
 * How many records a store holds.
 *
 * @param issued handed out and not used
 * @param processing claimed and not settled
 * @param succeeded done
 * @param failed with a stored failure
 * @param released given back
 * @param expired counting as absent, and not removed yet
 */
public record StoreStats(
    long issued, long processing, long succeeded, long failed, long released, long expired) {

  /** Returns the counts of live records by state, and of expired ones. */
  public static StoreStats of(Map<State, Long> live, long expired) {
    return new StoreStats(
        live.getOrDefault(State.ISSUED, 0L),
        live.getOrDefault(State.PROCESSING, 0L),
        live.getOrDefault(State.SUCCEEDED, 0L),
        live.getOrDefault(State.FAILED, 0L),
        live.getOrDefault(State.RELEASED, 0L),
        expired);
  }

  /** Returns the number of records that are not expired. */
  public long live() {
    return issued + processing + succeeded + failed + released;
  }
}
