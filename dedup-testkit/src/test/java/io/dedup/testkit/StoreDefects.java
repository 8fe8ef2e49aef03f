// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of the rest around the table: clocks, atomicity, cold verbs. */
final class StoreDefects {

  private StoreDefects() {}

  static List<Defect> all() {
    return Stream.of(ofClocksAndAtomicity(), ofColdVerbs()).flatMap(List::stream).toList();
  }

  private static List<Defect> ofClocksAndAtomicity() {
    return List.of(
        new Defect("checks, then acts", "Races", CheckThenActStore::new),
        new Defect("keeps records that no other process sees", "Races", UnsharedStore::new),
        new Defect("holds batches in the order they come in", "Races", DeadlockingStore::new),
        new Defect(
            "judges by the client's clock",
            "ClaimsOfHeldKeys",
            time -> InMemoryClaimStore.create()),
        new Defect(
            "answers with the client's time",
            "Batches",
            time ->
                new AlteredStore(time) {
                  @Override
                  public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                    return with(sound.exchange(s, c), "storeTime", ProcessClock.system().now());
                  }
                }),
        new Defect("remembers what it has seen done", "TwoProcesses", RememberingStore::new),
        new Defect(
            "has a clock that is an hour slow",
            "TheStoresOwnClock",
            time ->
                InMemoryClaimStore.create(
                    () ->
                        time.now() != null
                            ? time.now()
                            : ProcessClock.system().now().minusSeconds(3600),
                    1000)),
        new Defect(
            "wraps no trouble",
            "Batches",
            time ->
                new AlteredStore(time) {
                  @Override
                  public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                    if (s.isEmpty() && c.isEmpty()) {
                      throw new IllegalStateException("syntax error at or near ')'");
                    }
                    return super.exchange(s, c);
                  }
                }));
  }

  private static List<Defect> ofColdVerbs() {
    return List.of(
        cold(
            "forgets nothing",
            "OperatorsDecisions",
            time ->
                new AlteredStore(time) {
                  @Override
                  public boolean forget(IdempotencyKey key) {
                    return find(key).isPresent();
                  }
                }),
        cold(
            "reads a part of the keys it is asked for",
            "DistinctKeys",
            time ->
                new AlteredStore(time) {
                  @Override
                  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
                    return super.find(keys.stream().limit(1000).toList());
                  }
                }),
        cold(
            "takes the records it reads for those of the keys in their order",
            "DistinctKeys",
            time ->
                new AlteredStore(time) {
                  @Override
                  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
                    Iterator<ClaimRecord> found = List.copyOf(sound.find(keys).values()).iterator();
                    Map<IdempotencyKey, ClaimRecord> mixed = new HashMap<>();
                    keys.stream()
                        .takeWhile(key -> found.hasNext())
                        .forEach(key -> mixed.put(key, found.next()));
                    return mixed;
                  }
                }),
        cold("purges live claims", "HowLongIsKept", PurgingTooMuch::new),
        cold(
            "purges more than it may",
            "HowLongIsKept",
            time ->
                new AlteredStore(time) {
                  @Override
                  public int purgeExpired(int limit) {
                    return sound.purgeExpired(Math.max(limit, 1000));
                  }
                }),
        cold(
            "counts expired records as live",
            "HowLongIsKept",
            time ->
                new AlteredStore(time) {
                  @Override
                  public StoreStats stats() {
                    return changed(
                        changed(
                            sound.stats(), "succeeded", (Long n) -> n + sound.stats().expired()),
                        "expired",
                        (Long n) -> 0L);
                  }
                }),
        cold(
            "counts failed and released records together",
            "HowLongIsKept",
            time ->
                new AlteredStore(time) {
                  @Override
                  public StoreStats stats() {
                    StoreStats stats = sound.stats();
                    return with(
                        with(stats, "failed", stats.failed() + stats.released()), "released", 0L);
                  }
                }),
        cold("extends every scope that begins so", "HowLongIsKept", ExtendingByPrefix::new),
        cold(
            "finds what has expired",
            "ClaimsOfNewKeys",
            time ->
                new AlteredStore(time) {
                  private final Map<IdempotencyKey, ClaimRecord> seen = new ConcurrentHashMap<>();

                  @Override
                  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
                    seen.putAll(sound.find(keys));
                    Map<IdempotencyKey, ClaimRecord> found = new HashMap<>(seen);
                    found.keySet().retainAll(Set.copyOf(keys));
                    return found;
                  }
                }),
        cold(
            "loses the lists of merged records",
            "Merges",
            time ->
                new AlteredStore(time) {
                  @Override
                  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
                    Map<IdempotencyKey, ClaimRecord> poorer = new ConcurrentHashMap<>();
                    records.forEach((k, r) -> poorer.put(k, with(r, "forced", List.of())));
                    return sound.merge(poorer);
                  }
                }),
        cold(
            "merges one record of many",
            "Merges",
            time ->
                new AlteredStore(time) {
                  @Override
                  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
                    return records.isEmpty()
                        ? 0
                        : sound.merge(Map.ofEntries(records.entrySet().iterator().next()));
                  }
                }));
  }

  private static Defect cold(String says, String section, Function<StoreTime, ClaimStore> stores) {
    return new Defect(says, section, stores);
  }

  /** Removes what was claimed and not settled for a while. */
  private static final class PurgingTooMuch extends AlteredStore {
    private final Set<IdempotencyKey> claimed = ConcurrentHashMap.newKeySet();

    PurgingTooMuch(StoreTime time) {
      super(time);
    }

    @Override
    public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
      claims.forEach(request -> claimed.add(request.key()));
      return sound.exchange(settlements, claims);
    }

    @Override
    public int purgeExpired(int limit) {
      claimed.stream()
          .filter(key -> find(key).filter(r -> r.state() == State.PROCESSING).isPresent())
          .forEach(this::forget);
      return sound.purgeExpired(limit);
    }
  }

  /** Takes a scope for a prefix. */
  private static final class ExtendingByPrefix extends AlteredStore {
    private final Set<IdempotencyKey> claimed = ConcurrentHashMap.newKeySet();

    ExtendingByPrefix(StoreTime time) {
      super(time);
    }

    @Override
    public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
      claims.forEach(request -> claimed.add(request.key()));
      return sound.exchange(settlements, claims);
    }

    @Override
    public long extendScope(String scope, Duration ttl) {
      Collection<IdempotencyKey> keys =
          claimed.stream().filter(key -> key.scope().startsWith(scope)).toList();
      return sound.extend(keys, ttl);
    }
  }
}
