// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A store whose exchanges go wrong as a test says, and which remembers what it was asked.
 * Thread-safe.
 */
final class FaultyStore implements ClaimStore {

  /** What was sent in one exchange. */
  record Sent(List<SettleRequest> settlements, List<ClaimRequest> claims) {

    boolean asksForTime() {
      return settlements.isEmpty() && claims.isEmpty();
    }

    boolean asksForKeys() {
      return !claims.isEmpty();
    }

    boolean completes() {
      return settles(Settlement.Complete.class);
    }

    boolean renews() {
      return settles(Settlement.Renew.class);
    }

    boolean settles(Class<? extends Settlement> kind) {
      return settlements.stream().anyMatch(s -> kind.isInstance(s.settlement()));
    }

    boolean names(IdempotencyKey key) {
      return settlements.stream().anyMatch(s -> s.claim().key().equals(key))
          || claims.stream().anyMatch(c -> c.key().equals(key));
    }
  }

  /** What becomes of an exchange. */
  interface Fault {
    Exchange exchange(ClaimStore store, Sent sent);
  }

  private record Rule(Predicate<Sent> when, AtomicInteger left, Fault fault) {
    boolean applies(Sent sent) {
      return when.test(sent) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
  }

  private final ClaimStore store;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<Sent> sent = new CopyOnWriteArrayList<>();

  FaultyStore(ClaimStore store) {
    this.store = store;
  }

  /** Lets the next {@code times} exchanges of this kind go wrong. */
  FaultyStore fail(Predicate<Sent> when, int times, Fault fault) {
    rules.add(new Rule(when, new AtomicInteger(times), fault));
    return this;
  }

  /** Lets every exchange of this kind go wrong, until {@link #heal}. */
  FaultyStore failAlways(Predicate<Sent> when, Fault fault) {
    return fail(when, Integer.MAX_VALUE, fault);
  }

  void heal() {
    rules.clear();
  }

  List<Sent> sent() {
    return List.copyOf(sent);
  }

  void forgetSent() {
    sent.clear();
  }

  /** Returns all settlements that were sent, in order. */
  List<Settlement> settlementsSent() {
    List<Settlement> all = new ArrayList<>();
    sent.forEach(s -> s.settlements().forEach(r -> all.add(r.settlement())));
    return all;
  }

  /** The command is executed, and nobody learns of it. */
  static Fault answerLost() {
    return (store, sent) -> {
      store.exchange(sent.settlements(), sent.claims());
      throw new StoreUnavailable("answer lost", null);
    };
  }

  /** The command never arrives. */
  static Fault unreachable() {
    return (store, sent) -> {
      throw new StoreUnavailable("unreachable", null);
    };
  }

  /** The command is executed at once, and answered late. */
  static Fault answeredLate(ManualClock clock, Duration delay) {
    return then(() -> clock.advance(delay));
  }

  /** The command arrives late. */
  static Fault arrivingLate(ManualClock clock, Duration delay) {
    return first(() -> clock.advance(delay));
  }

  static Fault first(Runnable action) {
    return (store, sent) -> {
      action.run();
      return store.exchange(sent.settlements(), sent.claims());
    };
  }

  static Fault then(Runnable action) {
    return (store, sent) -> {
      Exchange answer = store.exchange(sent.settlements(), sent.claims());
      action.run();
      return answer;
    };
  }

  static Fault corrupt() {
    return (store, sent) -> {
      throw new StoreCorrupt("state: was 77, must be 1 to 5");
    };
  }

  static Fault throwing(RuntimeException e) {
    return (store, sent) -> {
      throw e;
    };
  }

  static Fault throwing(Error e) {
    return (store, sent) -> {
      throw e;
    };
  }

  /** The client sends nothing in an interrupted thread, as many do. */
  static Fault refusedIfInterrupted() {
    return (store, sent) -> {
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreUnavailable("interrupted", new InterruptedException());
      }
      return store.exchange(sent.settlements(), sent.claims());
    };
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Sent now = new Sent(settlements, claims);
    sent.add(now);
    for (Rule rule : rules) {
      if (rule.applies(now)) {
        return rule.fault.exchange(store, now);
      }
    }
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
  public int purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }
}
