// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreUnavailable;
import io.dedup.testkit.ForwardingClaimStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that is out of reach, or loses answers, or has trouble with one key, as a test wants. */
final class TroubledStore extends ForwardingClaimStore {

  final AtomicInteger refused = new AtomicInteger();

  /** The ids that were asked for, exchange by exchange. */
  final List<List<String>> asked = new CopyOnWriteArrayList<>();

  volatile boolean down;
  volatile boolean losesSettlements;
  volatile String corruptId = "";
  volatile String unavailableId = "";

  TroubledStore(ClaimStore store) {
    super(store);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (!claims.isEmpty()) {
      asked.add(claims.stream().map(claim -> claim.key().id()).toList());
    }
    if (down || (losesSettlements && !settlements.isEmpty())) {
      refused.incrementAndGet();
      throw new StoreUnavailable("out of reach", null);
    }
    if (names(claims, unavailableId)) {
      refused.incrementAndGet();
      throw new StoreUnavailable("no answer for this key", null);
    }
    if (names(claims, corruptId)) {
      refused.incrementAndGet();
      throw new StoreCorrupt("record: was a list, must be a hash of ours");
    }
    return super.exchange(settlements, claims);
  }

  private static boolean names(List<ClaimRequest> claims, String id) {
    return claims.stream().anyMatch(claim -> claim.key().id().equals(id));
  }
}
