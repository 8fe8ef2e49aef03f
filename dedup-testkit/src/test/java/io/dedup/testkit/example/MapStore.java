// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.example;

import io.dedup.claim.AuditNote;
import io.dedup.claim.Batches;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The example of docs/writing-a-store.md: a map and one monitor for everything. Thread-safe. */
final class MapStore implements ClaimStore {

  private final TransitionTable table = TransitionTable.rules();
  private final Map<IdempotencyKey, ClaimRecord> records = new HashMap<>();
  private final StoreTime time;

  MapStore(StoreTime time) {
    this.time = time;
  }

  @Override
  public synchronized Exchange exchange(
      List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Batches.checkDistinct(settlements, claims);
    Instant now = now();
    List<SettleAnswer> settled = new ArrayList<>();
    for (SettleRequest request : settlements) {
      settled.add(apply(request.claim().key(), found -> table.settle(found, request, now)));
    }
    List<ClaimAnswer> claimed = new ArrayList<>();
    for (ClaimRequest request : claims) {
      claimed.add(apply(request.key(), found -> table.claim(found, request, now)));
    }
    return new Exchange(now, settled, claimed);
  }

  /** Reads, decides and writes: one atomic step, since the caller holds the monitor. */
  private <A> A apply(IdempotencyKey key, Function<ClaimRecord, Transition<A>> decision) {
    Transition<A> decided = decision.apply(records.get(key));
    if (decided.changes()) {
      records.put(key, decided.record());
    }
    return decided.answer();
  }

  private Instant now() {
    Instant byHand = time.now();
    return byHand != null ? byHand : ProcessClock.system().now();
  }

  @Override
  public synchronized boolean issue(IdempotencyKey key, Duration ttl) {
    Instant now = now();
    return apply(key, found -> table.issue(found, ttl, now));
  }

  @Override
  public synchronized Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Instant now = now();
    Map<IdempotencyKey, ClaimRecord> found = new HashMap<>();
    for (IdempotencyKey key : keys) {
      ClaimRecord record = records.get(key);
      if (record != null && isLive(record, now)) {
        found.put(key, record);
      }
    }
    return found;
  }

  @Override
  public synchronized SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    Instant now = now();
    String note = AuditNote.resolved(who, why);
    return apply(key, found -> table.resolve(found, token, resolution, note, now));
  }

  @Override
  public synchronized SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    Instant now = now();
    String note = AuditNote.reopened(who, why);
    return apply(key, found -> table.reopen(found, note, now));
  }

  @Override
  public synchronized boolean forget(IdempotencyKey key) {
    ClaimRecord removed = records.remove(key);
    return removed != null && isLive(removed, now());
  }

  @Override
  public synchronized int merge(Map<IdempotencyKey, ClaimRecord> copies) {
    Instant now = now();
    int changed = 0;
    for (Map.Entry<IdempotencyKey, ClaimRecord> copy : copies.entrySet()) {
      if (apply(copy.getKey(), found -> table.merge(found, copy.getValue(), now))) {
        changed++;
      }
    }
    return changed;
  }

  @Override
  public synchronized long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    Instant now = now();
    return keys.stream().filter(key -> apply(key, found -> table.extend(found, ttl, now))).count();
  }

  @Override
  public synchronized long extendScope(String scope, Duration ttl) {
    return extend(records.keySet().stream().filter(k -> k.scope().equals(scope)).toList(), ttl);
  }

  @Override
  public synchronized int purgeExpired(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: was " + limit + ", must be at least 1");
    }
    Instant now = now();
    List<IdempotencyKey> expired =
        records.entrySet().stream()
            .filter(entry -> !isLive(entry.getValue(), now))
            .map(Map.Entry::getKey)
            .limit(limit)
            .toList();
    expired.forEach(records::remove);
    return expired.size();
  }

  @Override
  public synchronized StoreStats stats() {
    Instant now = now();
    Map<State, Long> live = new EnumMap<>(State.class);
    records.values().stream()
        .filter(record -> isLive(record, now))
        .forEach(record -> live.merge(record.state(), 1L, Long::sum));
    long counted = live.values().stream().mapToLong(Long::longValue).sum();
    return StoreStats.of(live, records.size() - counted);
  }

  private static boolean isLive(ClaimRecord record, Instant now) {
    return record.expires().isAfter(now);
  }
}
