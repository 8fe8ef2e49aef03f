// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Instant;
import java.util.List;

/**
 * The answers to one exchange with a store, in the order of the requests.
 *
 * @param storeTime the store's time when it answered; of several nodes, the earliest
 * @param settled an answer for each settlement
 * @param claimed an answer for each claim
 */
public record Exchange(Instant storeTime, List<SettleAnswer> settled, List<ClaimAnswer> claimed) {
  /** Copies the lists. */
  public Exchange {
    settled = List.copyOf(settled);
    claimed = List.copyOf(claimed);
  }
}
