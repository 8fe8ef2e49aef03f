// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that is out of reach, or loses answers, or has trouble with one key, as a test wants. */
final class TroubledStore implements ClaimStore {

  private final ClaimStore store;
  final AtomicInteger refused = new AtomicInteger();

  /** The ids that were asked for, exchange by exchange. */
  final List<List<String>> asked = new CopyOnWriteArrayList<>();

  volatile boolean down;
  volatile boolean losesSettlements;
  volatile String corruptId = "";
  volatile String unavailableId = "";

  TroubledStore(ClaimStore store) {
    this.store = store;
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
    return store.exchange(settlements, claims);
  }

  private static boolean names(List<ClaimRequest> claims, String id) {
    return claims.stream().anyMatch(claim -> claim.key().id().equals(id));
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return store.issue(key, ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return store.find(keys);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return store.resolve(key, token, resolution, who, why);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return store.reopen(key, who, why);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return store.forget(key);
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return store.merge(records);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return store.extend(keys, ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return store.extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }
}
