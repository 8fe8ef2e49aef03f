// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A store that asks another one. A test overrides the verbs that it wants to see, or to fail, and
 * {@link #store()} to be asked before each of them.
 */
public abstract class ForwardingClaimStore implements ClaimStore {

  private final ClaimStore store;

  /**
   * Makes a store.
   *
   * @param store is asked
   */
  protected ForwardingClaimStore(ClaimStore store) {
    this.store = store;
  }

  /** Returns the store that is asked, for each verb anew. */
  protected ClaimStore store() {
    return store;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    return store().exchange(settlements, claims);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return store().issue(key, ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return store().find(keys);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return store().resolve(key, token, resolution, who, why);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return store().reopen(key, who, why);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return store().forget(key);
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return store().merge(records);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return store().extend(keys, ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return store().extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return store().purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return store().stats();
  }
}
