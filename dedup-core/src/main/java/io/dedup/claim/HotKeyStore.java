// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store with {@link HotKeys} in front of it, which answer repeated claims without a round trip.
 * Thread-safe.
 *
 * <p>Claims alone are answered so; {@link #find} and all other verbs ask the store. What is changed
 * through this store is forgotten before its answer is handed on. What another process changes is
 * noticed after {@code maxAge} at the latest.
 */
public final class HotKeyStore implements ClaimStore {

  private final ClaimStore store;
  private final HotKeys keys;

  private HotKeyStore(ClaimStore store, HotKeys keys) {
    this.store = store;
    this.keys = keys;
  }

  /**
   * Returns the store with a memory in front of it.
   *
   * @param keys of this store and no other; several wrappers of one store may share it
   */
  public static HotKeyStore of(ClaimStore store, HotKeys keys) {
    return new HotKeyStore(store, keys);
  }

  /** Returns the store that decides. */
  public ClaimStore store() {
    return store;
  }

  /** Returns what is remembered. */
  public HotKeys keys() {
    return keys;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Set<IdempotencyKey> changing = new HashSet<>();
    settlements.forEach(settlement -> changing.add(settlement.claim().key()));
    claims.stream().filter(ClaimRequest::force).forEach(claim -> changing.add(claim.key()));
    HotKeys.@Nullable Remembered[] known = new HotKeys.Remembered[claims.size()];
    List<HotKeys.Asked> asked = new ArrayList<>();
    for (int i = 0; i < known.length; i++) {
      ClaimRequest claim = claims.get(i);
      known[i] = changing.contains(claim.key()) ? null : keys.answer(claim);
      if (known[i] == null) {
        asked.add(keys.asking(claim));
      }
    }
    if (settlements.isEmpty() && asked.isEmpty() && !claims.isEmpty()) {
      return remembered(known);
    }
    Exchange exchange;
    try {
      exchange = store.exchange(settlements, asked.stream().map(HotKeys.Asked::request).toList());
    } finally {
      keys.forget(changing);
    }
    return merged(exchange, known, asked);
  }

  private static Exchange remembered(HotKeys.@Nullable Remembered[] known) {
    Instant storeTime = Instant.MIN;
    List<ClaimAnswer> answers = new ArrayList<>();
    for (HotKeys.Remembered one : known) {
      if (one != null) {
        answers.add(one.answer());
        storeTime = one.storeTime().isAfter(storeTime) ? one.storeTime() : storeTime;
      }
    }
    return new Exchange(storeTime, List.of(), answers);
  }

  private Exchange merged(
      Exchange exchange, HotKeys.@Nullable Remembered[] known, List<HotKeys.Asked> asked) {
    List<ClaimAnswer> answered = exchange.claimed();
    if (answered.size() != asked.size()) {
      throw new StoreCorrupt("answers: were " + answered.size() + ", must be " + asked.size());
    }
    List<ClaimAnswer> all = new ArrayList<>();
    int next = 0;
    for (HotKeys.Remembered one : known) {
      if (one != null) {
        all.add(one.answer());
        continue;
      }
      HotKeys.Asked question = asked.get(next);
      ClaimAnswer answer = answered.get(next);
      next++;
      keys.learn(question, answer, exchange.storeTime());
      all.add(answer);
    }
    return new Exchange(exchange.storeTime(), exchange.settled(), all);
  }

  private <T> T changing(Collection<IdempotencyKey> changed, Supplier<T> verb) {
    try {
      return verb.get();
    } finally {
      // Also when the answer was lost: it may have been done.
      keys.forget(changed);
    }
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return changing(List.of(key), () -> store.issue(key, ttl));
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> wanted) {
    return store.find(wanted);
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return changing(List.of(key), () -> store.resolve(key, token, resolution, who, why));
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return changing(List.of(key), () -> store.reopen(key, who, why));
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return changing(List.of(key), () -> store.forget(key));
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return changing(records.keySet(), () -> store.merge(records));
  }

  @Override
  public long extend(Collection<IdempotencyKey> wanted, Duration ttl) {
    return store.extend(wanted, ttl);
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
