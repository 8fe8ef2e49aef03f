// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store that cannot be reached while a test says so. */
final class TroubledStore implements ClaimStore {

  private final ClaimStore store;
  volatile boolean down;

  TroubledStore(ClaimStore store) {
    this.store = store;
  }

  private ClaimStore reached() {
    if (down) {
      throw new StoreUnavailable("switched off by a test", null);
    }
    return store;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    return reached().exchange(settlements, claims);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return reached().issue(key, ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return reached().find(keys);
  }

  @Override
  public Optional<ClaimRecord> find(IdempotencyKey key) {
    return reached().find(key);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return reached().resolve(key, token, resolution, who, why);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return reached().reopen(key, who, why);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return reached().forget(key);
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return reached().merge(records);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return reached().extend(keys, ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return reached().extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return reached().purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return reached().stats();
  }
}
