// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.testkit.ForwardingClaimStore;
import java.util.List;

/** A store that may take its process with it, before and after what it is asked. */
final class MortalStore extends ForwardingClaimStore {

  private final Mortal mortal;

  MortalStore(ClaimStore store, Mortal mortal) {
    super(store);
    this.mortal = mortal;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (!claims.isEmpty()) {
      mortal.at(Arrow.BEFORE_CLAIM);
    }
    Exchange exchange = super.exchange(settlements, claims);
    if (!claims.isEmpty()) {
      mortal.at(Arrow.CLAIM_STORED);
    }
    if (settlements.stream().anyMatch(s -> s.settlement() instanceof Settlement.Complete)) {
      mortal.at(Arrow.COMPLETION_STORED);
    }
    return exchange;
  }
}
