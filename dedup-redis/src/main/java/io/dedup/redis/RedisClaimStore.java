// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

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
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The store on Redis 6.2 or newer: standalone, behind Sentinel, or a Cluster. Thread-safe.
 *
 * <p>Each verb is a Lua script, so it happens at once or not at all. A batch is one call on a
 * single node, and one call for each bucket of keys on a Cluster, all sent together where the
 * driver is Lettuce.
 *
 * <p>It uses byte-level connections of its own from the factory: a template's serializers, and the
 * caller's transaction, {@code MULTI} or pipeline, mean nothing to it. How long a call waits is the
 * factory's command time-out, which for Lettuce is a minute unless you set it; set it well below
 * the lease, for example to two seconds ({@code spring.data.redis.timeout}).
 *
 * <p>What Redis loses, it forgets: after a restart without persistence, a flush, an eviction or a
 * failover to a replica that lags behind, those keys run again.
 */
public final class RedisClaimStore implements ClaimStore {

  /** The prefix of our keys unless said otherwise. */
  public static final String DEFAULT_PREFIX = "dedup";

  private static final IdempotencyKey SELF_TEST = IdempotencyKey.of("io.dedup.redis", "self-test");
  private static final int COMPACT_FORM_BYTES = 16;
  private static final Duration SELF_TEST_TTL = Duration.ofSeconds(1);

  private final ScriptRunner runner;
  private final KeyNames names;
  private final Scripts scripts;
  private final WholeStore wholeStore;
  private final RedisLayout layout;

  RedisClaimStore(ScriptRunner runner, KeyNames names, Scripts scripts, RedisLayout layout) {
    this.runner = runner;
    this.names = names;
    this.scripts = scripts;
    this.wholeStore = new WholeStore(runner, names, scripts, layout);
    this.layout = layout;
  }

  /**
   * Returns a builder of a store on the Redis that {@code factory} connects to, which must have
   * been started.
   */
  public static Builder builder(RedisConnectionFactory factory) {
    return new Builder(factory);
  }

  /**
   * Checks that Redis does what this store needs of it: that it is of version 6.2 or newer, runs
   * our scripts, and does not throw away keys to make room (which is logged as a warning); and that
   * it keeps nothing in a layout that this store does not look at. Meant for the start of an
   * application.
   *
   * @throws io.dedup.claim.StoreMisconfigured if it does not; the message says what to change
   * @throws io.dedup.claim.StoreUnavailable if it cannot be reached
   */
  public void verify() {
    issue(SELF_TEST, SELF_TEST_TTL);
    find(SELF_TEST);
    forget(SELF_TEST);
    runner.connected(
        "start check",
        connection -> {
          StartCheck.check(connection);
          if (layout != RedisLayout.COMPACT) {
            StartCheck.checkNothingIsCompact(connection, names);
          }
          return true;
        });
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Batches.checkDistinct(settlements, claims);
    if (settlements.isEmpty() && claims.isEmpty()) {
      Request nothing = new Request(names.of(SELF_TEST), Verb.FIND.request());
      return new Exchange(run(Verb.FIND, List.of(nothing)), List.of(), List.of());
    }
    List<Request> settling =
        settlements.stream()
            .map(s -> new Request(names.of(s.claim().key()), Requests.settle(s)))
            .toList();
    List<Request> claiming =
        claims.stream().map(c -> new Request(names.of(c.key()), Requests.claim(c))).toList();
    Instant time = run(Verb.CLAIM, Stream.concat(settling.stream(), claiming.stream()).toList());
    List<SettleAnswer> settled =
        settling.stream().map(r -> Answers.read(r.reply(), Answers::settle)).toList();
    List<ClaimAnswer> claimed =
        claiming.stream().map(r -> Answers.read(r.reply(), Answers::claim)).toList();
    return new Exchange(time, settled, claimed);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return ask(Verb.ISSUE, key, Requests.issue(ttl), Answers::yes);
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    Map<IdempotencyKey, Request> requests = new LinkedHashMap<>();
    keys.forEach(key -> requests.put(key, new Request(names.of(key), Verb.FIND.request())));
    if (requests.isEmpty()) {
      return Map.of();
    }
    run(Verb.FIND, List.copyOf(requests.values()));
    Map<IdempotencyKey, ClaimRecord> found = new HashMap<>();
    requests.forEach(
        (key, request) ->
            Answers.read(request.reply(), Answers::record)
                .ifPresent(record -> found.put(key, record)));
    return found;
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    ByteWriter request = Requests.resolve(token, resolution, AuditNote.resolved(who, why));
    return ask(Verb.RESOLVE, key, request, Answers::settle);
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return ask(Verb.REOPEN, key, Requests.reopen(AuditNote.reopened(who, why)), Answers::settle);
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return ask(Verb.FORGET, key, Verb.FORGET.request(), Answers::yes);
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    List<Request> requests = new ArrayList<>(records.size());
    records.forEach(
        (key, record) -> requests.add(new Request(names.of(key), Requests.merge(record))));
    return countYes(Verb.MERGE, requests);
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return countYes(
        Verb.EXTEND,
        keys.stream().map(key -> new Request(names.of(key), Requests.extend(ttl))).toList());
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return wholeStore.extend(scope, Requests.extend(ttl));
  }

  @Override
  public int purgeExpired(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: was " + limit + ", must be at least 1");
    }
    return wholeStore.purge(limit);
  }

  @Override
  public StoreStats stats() {
    return wholeStore.count();
  }

  private Instant run(Verb verb, List<Request> requests) {
    return runner.run(scripts.of(verb), verb, requests);
  }

  private <T> T ask(
      Verb verb, IdempotencyKey key, ByteWriter bytes, Function<ByteReader, T> reader) {
    Request request = new Request(names.of(key), bytes);
    run(verb, List.of(request));
    return Answers.read(request.reply(), reader);
  }

  private int countYes(Verb verb, List<Request> requests) {
    if (requests.isEmpty()) {
      return 0;
    }
    run(verb, requests);
    return (int) requests.stream().filter(r -> Answers.read(r.reply(), Answers::yes)).count();
  }

  /** Collects the parts of a store. */
  public static final class Builder {
    private final RedisConnectionFactory factory;
    private String prefix = DEFAULT_PREFIX;
    private KeyFormat keyFormat = KeyFormat.digest();
    private StoreTime time = StoreTime.ofServer();
    private RedisLayout layout = RedisLayout.STANDARD;

    private Builder(RedisConnectionFactory factory) {
      this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Sets what the names of our keys begin with; by default {@value
     * RedisClaimStore#DEFAULT_PREFIX}.
     */
    public Builder prefix(String value) {
      this.prefix = value;
      return this;
    }

    /** Sets the form that keys are kept in; by default {@link KeyFormat#digest()}. */
    public Builder keyFormat(KeyFormat value) {
      this.keyFormat = value;
      return this;
    }

    /**
     * Sets how what is done is kept; by default {@link RedisLayout#STANDARD}. The same in every
     * process that shares the prefix.
     */
    public Builder layout(RedisLayout value) {
      this.layout = Objects.requireNonNull(value, "layout");
      return this;
    }

    /** Sets the time to judge by; by default Redis's own. */
    public Builder time(StoreTime value) {
      this.time = value;
      return this;
    }

    /**
     * Returns the store. Connects to nothing: see {@link RedisClaimStore#verify()}.
     *
     * @throws IllegalArgumentException if the prefix is not 1 to 64 of letters, digits and {@code .
     *     _ : / -}, or the layout is compact and the key format no digest of 16 bytes
     */
    public RedisClaimStore build() {
      KeyNames names = new KeyNames(prefix, keyFormat, layout);
      if (layout == RedisLayout.COMPACT) {
        checkDigest();
      }
      Scripts scripts = Scripts.load(layout);
      return new RedisClaimStore(new ScriptRunner(factory, time), names, scripts, layout);
    }

    /** Forms of one length for all keys are digests; a text's is as long as the text. */
    private void checkDigest() {
      int shorter = keyFormat.encode(IdempotencyKey.of("a", "1")).length;
      int longer = keyFormat.encode(IdempotencyKey.of("a", "a longer id than that")).length;
      if (shorter != COMPACT_FORM_BYTES || longer != COMPACT_FORM_BYTES) {
        throw new IllegalArgumentException(
            "layout: was compact with a key format that makes "
                + shorter
                + " to "
                + longer
                + " bytes or more, must be standard, or the key format a digest of "
                + COMPACT_FORM_BYTES);
      }
    }
  }
}
