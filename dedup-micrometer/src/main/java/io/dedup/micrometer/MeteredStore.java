// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store that does what another does, and measures it. Thread-safe as that one is. */
final class MeteredStore implements ClaimStore {

  /** A key that nobody had: absent, expired, handed out, given back or failed. */
  private static final String OPEN = "open";

  private static final String ABSENT = "absent";
  private static final String SETTLED = "settled";

  private final ClaimStore store;
  private final StoreMeters meters;

  MeteredStore(ClaimStore store, StoreMeters meters) {
    this.store = store;
    this.meters = meters;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Exchange exchange =
        meters.measured(
            verb(settlements, claims),
            settlements.size() + claims.size(),
            () -> store.exchange(settlements, claims));
    exchange.claimed().forEach(this::claimed);
    // A store that breaks its contract may answer too few; whoever asked finds that out.
    int answered = Math.min(settlements.size(), exchange.settled().size());
    for (int i = 0; i < answered; i++) {
      settled(settlements.get(i).settlement(), exchange.settled().get(i));
    }
    return exchange;
  }

  private static String verb(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (settlements.isEmpty()) {
      return claims.isEmpty() ? "time" : "claim";
    }
    return claims.isEmpty() ? "settle" : "exchange";
  }

  private void claimed(ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      String from = acquired.takenOver() ? Names.of(State.PROCESSING) : OPEN;
      meters.transition(from, Names.of(State.PROCESSING));
    }
  }

  private void settled(Settlement settlement, SettleAnswer answer) {
    State to = after(settlement);
    if (to != null && answer instanceof SettleAnswer.Applied) {
      meters.transition(Names.of(State.PROCESSING), Names.of(to));
    }
  }

  /** Returns the state that a settlement leads to, null where it leaves the state as it is. */
  private static @Nullable State after(Settlement settlement) {
    if (settlement instanceof Settlement.Complete) {
      return State.SUCCEEDED;
    }
    if (settlement instanceof Settlement.Fail) {
      return State.FAILED;
    }
    return settlement instanceof Settlement.Release ? State.RELEASED : null;
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    boolean issued = meters.measured("issue", 1, () -> store.issue(key, ttl));
    if (issued) {
      meters.transition(ABSENT, Names.of(State.ISSUED));
    }
    return issued;
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return meters.measured("find", keys.size(), () -> store.find(keys));
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    SettleAnswer answer =
        meters.measured("resolve", 1, () -> store.resolve(key, token, resolution, who, why));
    if (answer instanceof SettleAnswer.Applied) {
      State to = resolution instanceof Resolution.Done ? State.SUCCEEDED : State.RELEASED;
      meters.transition(Names.of(State.PROCESSING), Names.of(to));
    }
    return answer;
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    SettleAnswer answer = meters.measured("reopen", 1, () -> store.reopen(key, who, why));
    if (answer instanceof SettleAnswer.Applied) {
      meters.transition(SETTLED, Names.of(State.RELEASED));
    }
    return answer;
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    boolean forgotten = meters.measured("forget", 1, () -> store.forget(key));
    if (forgotten) {
      meters.transition("any", ABSENT);
    }
    return forgotten;
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return meters.measured("merge", records.size(), () -> store.merge(records));
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return meters.measured("extend", keys.size(), () -> store.extend(keys, ttl));
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return meters.measured("extend_scope", 1, () -> store.extendScope(scope, ttl));
  }

  @Override
  public int purgeExpired(int limit) {
    return meters.measured("purge", limit, () -> store.purgeExpired(limit));
  }

  @Override
  public StoreStats stats() {
    return meters.measured("stats", 0, store::stats);
  }
}
