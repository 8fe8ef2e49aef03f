// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A store that may take its process with it, before and after what it is asked. */
record MortalStore(ClaimStore store, Mortal mortal) implements ClaimStore {

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (!claims.isEmpty()) {
      mortal.at(Arrow.BEFORE_CLAIM);
    }
    Exchange exchange = store.exchange(settlements, claims);
    if (!claims.isEmpty()) {
      mortal.at(Arrow.CLAIM_STORED);
    }
    if (settlements.stream().anyMatch(s -> s.settlement() instanceof Settlement.Complete)) {
      mortal.at(Arrow.COMPLETION_STORED);
    }
    return exchange;
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
