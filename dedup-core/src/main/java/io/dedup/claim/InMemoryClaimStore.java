// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The store that keeps its records in this process: the executable specification of the others, and
 * enough for tests and for effects that live and die with the process. Thread-safe.
 *
 * <p>It forgets with the process and is seen by no other. It never forgets earlier to save memory:
 * when it is full of live records it answers {@link StoreUnavailable}.
 */
public final class InMemoryClaimStore implements ClaimStore {

  /** The most records kept unless said otherwise. */
  public static final int DEFAULT_MAX_RECORDS = 1_000_000;

  private final TransitionTable table;
  private final StoreTime time;
  private final int maxRecords;
  private final ConcurrentMap<IdempotencyKey, ClaimRecord> records = new ConcurrentHashMap<>();

  InMemoryClaimStore(TransitionTable table, StoreTime time, int maxRecords) {
    if (maxRecords < 1) {
      throw new IllegalArgumentException("maxRecords: was " + maxRecords + ", must be at least 1");
    }
    this.table = table;
    this.time = time;
    this.maxRecords = maxRecords;
  }

  /**
   * Returns an empty store for {@value #DEFAULT_MAX_RECORDS} records, which judges by the JVM's
   * clock.
   */
  public static InMemoryClaimStore create() {
    return create(StoreTime.ofServer(), DEFAULT_MAX_RECORDS);
  }

  /**
   * Returns an empty store.
   *
   * @param time what to judge by; the server's clock is the JVM's here
   * @param maxRecords the most records to keep, at least 1
   * @throws IllegalArgumentException if there is no room for a record
   */
  public static InMemoryClaimStore create(StoreTime time, int maxRecords) {
    return new InMemoryClaimStore(TransitionTable.rules(), time, maxRecords);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Batches.checkDistinct(settlements, claims);
    Instant now = now();
    List<SettleAnswer> settled = new ArrayList<>(settlements.size());
    for (SettleRequest request : settlements) {
      settled.add(apply(request.claim().key(), found -> table.settle(found, request, now)));
    }
    List<ClaimAnswer> claimed = new ArrayList<>(claims.size());
    for (ClaimRequest request : claims) {
      makeRoom(request.key(), now);
      claimed.add(apply(request.key(), found -> table.claim(found, request, now)));
    }
    return new Exchange(now, settled, claimed);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    Instant now = now();
    makeRoom(key, now);
    return apply(key, found -> table.issue(found, ttl, now));
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Instant now = now();
    Map<IdempotencyKey, ClaimRecord> found = new HashMap<>();
    for (IdempotencyKey key : keys) {
      ClaimRecord record = records.get(key);
      if (record != null && record.isLive(now)) {
        found.put(key, record);
      }
    }
    return found;
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    Instant now = now();
    String note = AuditNote.resolved(who, why);
    return apply(key, found -> table.resolve(found, token, resolution, note, now));
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    Instant now = now();
    String note = AuditNote.reopened(who, why);
    return apply(key, found -> table.reopen(found, note, now));
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    ClaimRecord removed = records.remove(key);
    return removed != null && removed.isLive(now());
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> incoming) {
    Instant now = now();
    int changed = 0;
    for (Map.Entry<IdempotencyKey, ClaimRecord> copy : incoming.entrySet()) {
      makeRoom(copy.getKey(), now);
      if (apply(copy.getKey(), found -> table.merge(found, copy.getValue(), now))) {
        changed++;
      }
    }
    return changed;
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    Instant now = now();
    return keys.stream().filter(key -> apply(key, found -> table.extend(found, ttl, now))).count();
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return extend(records.keySet().stream().filter(key -> key.scope().equals(scope)).toList(), ttl);
  }

  @Override
  public int purgeExpired(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: was " + limit + ", must be at least 1");
    }
    Instant now = now();
    int purged = 0;
    for (IdempotencyKey key : records.keySet()) {
      if (purged == limit) {
        break;
      }
      ClaimRecord record = records.get(key);
      // Removed only as it was seen: a claim that came in between keeps its record.
      if (record != null && !record.isLive(now) && records.remove(key, record)) {
        purged++;
      }
    }
    return purged;
  }

  @Override
  public StoreStats stats() {
    Instant now = now();
    Map<State, Long> live = new EnumMap<>(State.class);
    long expired = 0;
    for (ClaimRecord record : records.values()) {
      if (record.isLive(now)) {
        live.merge(record.state(), 1L, Long::sum);
      } else {
        expired++;
      }
    }
    return StoreStats.of(live, expired);
  }

  private <A> A apply(IdempotencyKey key, Decision<A> decision) {
    Box<A> answer = new Box<>();
    records.compute(key, answer.deciding(decision));
    return answer.get();
  }

  private void makeRoom(IdempotencyKey key, Instant now) {
    if (records.size() < maxRecords || records.containsKey(key)) {
      return;
    }
    records.values().removeIf(record -> !record.isLive(now));
    if (records.size() >= maxRecords) {
      throw new StoreUnavailable(
          "in-memory store is full: maxRecords is " + maxRecords + " and none has expired", null);
    }
  }

  private Instant now() {
    Instant byHand = time.now();
    return byHand != null ? byHand : ProcessClock.system().now();
  }

  @FunctionalInterface
  private interface Decision<A> {
    Transition<A> of(@Nullable ClaimRecord found);
  }

  /** Carries an answer out of {@link Map#compute}. */
  private static final class Box<A> {
    private @Nullable A answer;

    BiFunction<IdempotencyKey, @Nullable ClaimRecord, @Nullable ClaimRecord> deciding(
        Decision<A> decision) {
      return (key, found) -> {
        Transition<A> transition = decision.of(found);
        answer = transition.answer();
        return transition.changes() ? transition.record() : found;
      };
    }

    A get() {
      if (answer == null) {
        throw new IllegalStateException("no decision was made");
      }
      return answer;
    }
  }
}
