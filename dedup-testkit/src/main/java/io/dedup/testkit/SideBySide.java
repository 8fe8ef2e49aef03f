// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Does everything twice, on the store under test and on the store in memory, and fails where the
 * two differ: in an answer or in the records of the keys that were touched.
 *
 * <p>All parts of an answer and all fields of a record must be equal. Only what is counted over the
 * whole store may differ: a store may hold records of other tests, and may remove expired ones by
 * itself.
 */
final class SideBySide implements ClaimStore {

  private static final int MODEL_RECORDS = 100_000;

  private final ClaimStore tested;
  private final ClaimStore model;

  SideBySide(ClaimStore tested, ManualTime time) {
    this.tested = tested;
    this.model = InMemoryClaimStore.create(time, MODEL_RECORDS);
  }

  /** Returns what must be there under {@code key}, without asking the store under test. */
  Optional<ClaimRecord> expected(IdempotencyKey key) {
    return model.find(key);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Exchange expected = model.exchange(settlements, claims);
    Exchange answered = tested.exchange(settlements, claims);
    assertThat(answered.settled())
        .as("answers to %s", settlements)
        .containsExactlyElementsOf(expected.settled());
    assertThat(answered.claimed())
        .as("answers to %s", claims)
        .containsExactlyElementsOf(expected.claimed());
    assertThat(answered.storeTime()).as("store time").isEqualTo(expected.storeTime());
    Set<IdempotencyKey> touched = new LinkedHashSet<>();
    settlements.forEach(s -> touched.add(s.claim().key()));
    claims.forEach(c -> touched.add(c.key()));
    compareRecords(touched);
    return answered;
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    boolean expected = model.issue(key, ttl);
    boolean answered = tested.issue(key, ttl);
    assertThat(answered).as("issued").isEqualTo(expected);
    compareRecords(Set.of(key));
    return answered;
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Map<IdempotencyKey, ClaimRecord> found = tested.find(keys);
    assertThat(found).as("records").isEqualTo(model.find(keys));
    return found;
  }

  @Override
  public Optional<ClaimRecord> find(IdempotencyKey key) {
    Optional<ClaimRecord> found = tested.find(key);
    assertThat(found).as("record").isEqualTo(model.find(key));
    return found;
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    SettleAnswer expected = model.resolve(key, token, resolution, who, why);
    SettleAnswer answered = tested.resolve(key, token, resolution, who, why);
    assertThat(answered).as("answer to resolve").isEqualTo(expected);
    compareRecords(Set.of(key));
    return answered;
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    SettleAnswer expected = model.reopen(key, who, why);
    SettleAnswer answered = tested.reopen(key, who, why);
    assertThat(answered).as("answer to reopen").isEqualTo(expected);
    compareRecords(Set.of(key));
    return answered;
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    boolean expected = model.forget(key);
    boolean answered = tested.forget(key);
    assertThat(answered).as("forgotten").isEqualTo(expected);
    compareRecords(Set.of(key));
    return answered;
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    int expected = model.merge(records);
    int answered = tested.merge(records);
    assertThat(answered).as("records merged").isEqualTo(expected);
    compareRecords(records.keySet());
    return answered;
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    long expected = model.extend(keys, ttl);
    long answered = tested.extend(keys, ttl);
    assertThat(answered).as("records extended").isEqualTo(expected);
    compareRecords(keys);
    return answered;
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    long expected = model.extendScope(scope, ttl);
    long answered = tested.extendScope(scope, ttl);
    assertThat(answered).as("records extended").isEqualTo(expected);
    return answered;
  }

  /** Purges the store under test alone: what is expired is absent in the model, purged or not. */
  @Override
  public int purgeExpired(int limit) {
    int purged = tested.purgeExpired(limit);
    assertThat(purged).as("records purged").isBetween(0, limit);
    return purged;
  }

  @Override
  public StoreStats stats() {
    return tested.stats();
  }

  private void compareRecords(Collection<IdempotencyKey> keys) {
    keys.forEach(this::find);
  }
}
