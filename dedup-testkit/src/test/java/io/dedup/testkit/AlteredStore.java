// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A sound store whose keys, settlements and records a subclass changes on the way in, or whose
 * verbs it replaces.
 */
class AlteredStore implements ClaimStore {

  final ClaimStore sound;

  AlteredStore(StoreTime time) {
    this(InMemoryClaimStore.create(time, InMemoryClaimStore.DEFAULT_MAX_RECORDS));
  }

  AlteredStore(ClaimStore sound) {
    this.sound = sound;
  }

  IdempotencyKey key(IdempotencyKey key) {
    return key;
  }

  Settlement settlement(Settlement settlement) {
    return settlement;
  }

  ClaimRequest request(ClaimRequest request) {
    return request;
  }

  final SettleRequest altered(SettleRequest request) {
    Claim claim = request.claim();
    return new SettleRequest(
        new Claim(key(claim.key()), claim.id(), claim.token()), settlement(request.settlement()));
  }

  final ClaimRequest altered(ClaimRequest request) {
    return request(With.with(request, "key", key(request.key())));
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    return sound.exchange(
        settlements.stream().map(this::altered).toList(),
        claims.stream().map(this::altered).toList());
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return sound.issue(key(key), ttl);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Map<IdempotencyKey, ClaimRecord> found =
        sound.find(keys.stream().map(this::key).collect(Collectors.toSet()));
    Map<IdempotencyKey, ClaimRecord> asAsked = new LinkedHashMap<>();
    for (IdempotencyKey key : keys) {
      ClaimRecord record = found.get(key(key));
      if (record != null) {
        asAsked.put(key, record);
      }
    }
    return asAsked;
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return sound.resolve(key(key), token, resolution, who, why);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return sound.reopen(key(key), who, why);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return sound.forget(key(key));
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    Map<IdempotencyKey, ClaimRecord> altered = new LinkedHashMap<>();
    records.forEach((key, record) -> altered.put(key(key), record));
    return sound.merge(altered);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return sound.extend(keys.stream().map(this::key).toList(), ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return sound.extendScope(scope, ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    return sound.purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return sound.stats();
  }
}
