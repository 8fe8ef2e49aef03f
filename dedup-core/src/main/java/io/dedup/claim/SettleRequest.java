// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Objects;

/**
 * Settles a claim.
 *
 * @param claim the claim, with the token it was answered with
 * @param settlement what to store
 */
public record SettleRequest(Claim claim, Settlement settlement) {
  /** Checks that both are there. */
  public SettleRequest {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(settlement, "settlement");
  }
}
