// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A store whose purge removes whatever there is. */
record CarelessPurge(ClaimStore store) implements ClaimStore {

  @Override
  public int purgeExpired(int limit) {
    return store.forget(Setting.KEY) ? 1 : 0;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    return store.exchange(settlements, claims);
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
  public StoreStats stats() {
    return store.stats();
  }
}
