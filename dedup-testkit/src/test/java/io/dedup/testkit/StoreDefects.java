// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;
import static io.dedup.testkit.With.with;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Defects of what is around the table: keys, batches, contents, clocks, atomicity. */
final class StoreDefects {

  private StoreDefects() {}

  static List<Defect> all() {
    List<Defect> defects = new ArrayList<>();
    defects.addAll(ofKeys());
    defects.addAll(ofBatches());
    defects.addAll(ofContents());
    defects.addAll(ofClocksAndAtomicity());
    defects.addAll(ofColdVerbs());
    return defects;
  }

  private static List<Defect> ofKeys() {
    return List.of(
        id("trims keys", String::strip),
        id("drops trailing spaces, as a padding collation does", String::stripTrailing),
        id("folds the case of keys", id -> id.toLowerCase(Locale.ROOT)),
        id("normalises keys", id -> Normalizer.normalize(id, Normalizer.Form.NFC)),
        id(
            "normalises keys for compatibility",
            id -> Normalizer.normalize(id, Normalizer.Form.NFKC)),
        id(
            "strips accents",
            id -> Normalizer.normalize(id, Normalizer.Form.NFD).replaceAll("\\p{M}", "")),
        id("ends keys at the first NUL", id -> "k" + id.replaceAll("(?s)\0.*", "")),
        id("drops NULs", id -> "k" + id.replace("\0", "")),
        id("cuts keys at 255 characters", id -> id.length() > 255 ? id.substring(0, 255) : id),
        id(
            "writes keys in Latin-1",
            id ->
                new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1)),
        id(
            "writes keys without their supplementary characters",
            id -> id.replaceAll("[\\x{10000}-\\x{10FFFF}]", "?")),
        id("takes braces for a hash tag", id -> "k" + id.replaceAll("[{}]", "")),
        id(
            "takes numbers for numbers",
            id -> id.matches("[0-9.]+") ? String.valueOf(Double.parseDouble(id)) : id),
        id(
            "cleans keys of what is no letter or digit",
            id -> "k" + id.replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{S}]", "")),
        new Defect(
            "joins scope and id with a slash",
            "DistinctKeys",
            time -> keys(time, key -> IdempotencyKey.of("all", key.scope() + "/" + key.id()))),
        new Defect(
            "joins scope and id with nothing",
            "DistinctKeys",
            time -> keys(time, key -> IdempotencyKey.of("all", key.scope() + key.id()))),
        new Defect(
            "folds the case of scopes",
            "DistinctKeys",
            time ->
                keys(
                    time,
                    key -> IdempotencyKey.of(key.scope().toLowerCase(Locale.ROOT), key.id()))),
        new Defect(
            "cuts scopes at 255 characters",
            "DistinctKeys",
            time ->
                keys(
                    time,
                    key ->
                        IdempotencyKey.of(
                            key.scope().substring(0, Math.min(255, key.scope().length())),
                            key.id()))));
  }

  private static List<Defect> ofBatches() {
    return List.of(
        exchange(
            "answers claims in the order of their keys",
            (sound, settlements, claims) -> {
              List<ClaimRequest> sorted = new ArrayList<>(claims);
              sorted.sort(Comparator.comparing((ClaimRequest r) -> r.key().id()).reversed());
              return sound.exchange(settlements, sorted);
            }),
        exchange(
            "answers settlements backwards",
            (sound, settlements, claims) -> {
              Exchange answers = sound.exchange(settlements, claims);
              List<SettleAnswer> backwards = new ArrayList<>(answers.settled());
              Collections.reverse(backwards);
              return new Exchange(answers.storeTime(), backwards, answers.claimed());
            }),
        exchange(
            "claims before it settles",
            (sound, settlements, claims) -> {
              Exchange claimed = sound.claim(claims);
              Exchange settled = sound.settle(settlements);
              return new Exchange(settled.storeTime(), settled.settled(), claimed.claimed());
            }),
        exchange(
            "does not notice a key twice",
            (sound, settlements, claims) -> {
              List<ClaimAnswer> claimed = new ArrayList<>();
              List<SettleAnswer> settled = new ArrayList<>();
              settlements.forEach(s -> settled.addAll(sound.settle(List.of(s)).settled()));
              claims.forEach(c -> claimed.addAll(sound.claim(List.of(c)).claimed()));
              return new Exchange(sound.claim(List.of()).storeTime(), settled, claimed);
            }),
        exchange(
            "notices a key twice when it is too late",
            (sound, settlements, claims) -> {
              Set<IdempotencyKey> seen = new HashSet<>();
              List<ClaimAnswer> claimed = new ArrayList<>();
              Exchange settled = sound.settle(settlements);
              for (ClaimRequest claim : claims) {
                if (!seen.add(claim.key())) {
                  throw new IllegalArgumentException("twice");
                }
                claimed.addAll(sound.claim(List.of(claim)).claimed());
              }
              return new Exchange(settled.storeTime(), settled.settled(), claimed);
            }),
        exchange(
            "refuses batches above a hundred",
            (sound, settlements, claims) -> {
              if (claims.size() > 100) {
                throw new StoreUnavailable("too many parameters", null);
              }
              return sound.exchange(settlements, claims);
            }),
        exchange(
            "stops at the first settlement that is fenced",
            (sound, settlements, claims) -> {
              List<SettleAnswer> settled = new ArrayList<>();
              boolean stopped = false;
              for (SettleRequest request : settlements) {
                SettleAnswer answer =
                    stopped
                        ? new SettleAnswer.Applied()
                        : sound.settle(List.of(request)).settled().get(0);
                stopped |= answer instanceof SettleAnswer.Fenced;
                settled.add(answer);
              }
              Exchange claimed = sound.claim(claims);
              return new Exchange(claimed.storeTime(), settled, claimed.claimed());
            }));
  }

  private static List<Defect> ofContents() {
    return List.of(
        result(
            "ends a result at its first NUL",
            r -> new StoredResult(r.contentType(), untilNul(r.bytes()))),
        result(
            "keeps 65,535 bytes of a result",
            r ->
                new StoredResult(
                    r.contentType(), Arrays.copyOf(r.bytes(), Math.min(65_535, r.bytes().length)))),
        result(
            "keeps results as text",
            r ->
                new StoredResult(
                    r.contentType(),
                    new String(r.bytes(), StandardCharsets.UTF_8)
                        .getBytes(StandardCharsets.UTF_8))),
        result("keeps no content type", r -> new StoredResult("", r.bytes())),
        result(
            "folds the case of a content type",
            r -> new StoredResult(r.contentType().toLowerCase(Locale.ROOT) + ";", r.bytes())),
        result("takes an empty result for none", r -> r.bytes().length == 0 ? null : r),
        error(
            "writes errors in Latin-1",
            e -> new String(e.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1)),
        error("keeps 255 characters of an error", e -> e.substring(0, Math.min(255, e.length()))),
        error("takes an empty error for one that says null", e -> e.isEmpty() ? "null" : e),
        request(
            "keeps 64 characters of an owner",
            "WhatIsKept",
            r -> changed(r, "owner", (String o) -> o.substring(0, Math.min(64, o.length())))),
        request("trims owners", "WhatIsKept", r -> changed(r, "owner", String::strip)),
        request(
            "keeps a lease in milliseconds",
            "ClaimsOfNewKeys",
            r -> changed(r, "lease", (Duration d) -> Duration.ofMillis(d.toMillis()))),
        request(
            "keeps 32 bits of a fingerprint",
            "ClaimsOfHeldKeys",
            r ->
                changed(
                    r,
                    "fingerprint",
                    (io.dedup.key.Fingerprint f) ->
                        new io.dedup.key.Fingerprint(f.algorithm(), (int) f.value()))),
        request(
            "keeps 63 bits of an origin",
            "WhatIsKept",
            r ->
                changed(
                    r,
                    "origin",
                    (io.dedup.claim.Origin o) ->
                        new io.dedup.claim.Origin(o.source() & Long.MAX_VALUE, o.position()))),
        request(
            "cannot count to a hundred years",
            "WhatIsKept",
            r ->
                changed(
                    r,
                    "lease",
                    (Duration d) ->
                        d.compareTo(Duration.ofDays(24_000)) > 0 ? Duration.ofDays(24_000) : d)));
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
        exchange(
            "answers with the client's time",
            (sound, settlements, claims) ->
                with(
                    sound.exchange(settlements, claims), "storeTime", ProcessClock.system().now())),
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
                  public Optional<ClaimRecord> find(IdempotencyKey key) {
                    Optional<ClaimRecord> found = sound.find(key);
                    found.ifPresent(record -> seen.put(key, record));
                    return found.or(() -> Optional.ofNullable(seen.get(key)));
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

  private static Defect id(String says, UnaryOperator<String> change) {
    return new Defect(
        says,
        "DistinctKeys",
        time ->
            keys(
                time,
                key -> {
                  String changed = change.apply(key.id());
                  return IdempotencyKey.of(key.scope(), changed.isEmpty() ? "empty" : changed);
                }));
  }

  private static ClaimStore keys(StoreTime time, UnaryOperator<IdempotencyKey> change) {
    return new AlteredStore(time) {
      @Override
      IdempotencyKey key(IdempotencyKey key) {
        return change.apply(key);
      }
    };
  }

  private static Defect result(String says, UnaryOperator<StoredResult> change) {
    return settlement(
        says,
        s -> {
          if (s instanceof Settlement.Complete complete && complete.result() != null) {
            return new Settlement.Complete(change.apply(complete.result()), complete.ttl());
          }
          return s;
        });
  }

  private static Defect error(String says, UnaryOperator<String> change) {
    return settlement(
        says, s -> s instanceof Settlement.Fail fail ? changed(fail, "error", change) : s);
  }

  private static Defect settlement(String says, UnaryOperator<Settlement> change) {
    return new Defect(
        says,
        "WhatIsKept",
        time ->
            new AlteredStore(time) {
              @Override
              Settlement settlement(Settlement settlement) {
                return change.apply(settlement);
              }
            });
  }

  private static Defect request(String says, String section, UnaryOperator<ClaimRequest> change) {
    return new Defect(
        says,
        section,
        time ->
            new AlteredStore(time) {
              @Override
              ClaimRequest request(ClaimRequest request) {
                return change.apply(request);
              }
            });
  }

  private static Defect exchange(String says, Exchanging exchanging) {
    return new Defect(
        says,
        "Batches",
        time ->
            new AlteredStore(time) {
              @Override
              public Exchange exchange(List<SettleRequest> s, List<ClaimRequest> c) {
                return exchanging.exchange(sound, s, c);
              }
            });
  }

  private static Defect cold(
      String says, String section, java.util.function.Function<StoreTime, ClaimStore> stores) {
    return new Defect(says, section, stores);
  }

  private static byte[] untilNul(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return Arrays.copyOf(bytes, end);
  }

  private interface Exchanging {
    Exchange exchange(ClaimStore sound, List<SettleRequest> settlements, List<ClaimRequest> claims);
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
