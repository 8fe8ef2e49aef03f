// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.AuditNote;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreTime;
import io.dedup.claim.TransitionTable;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The claim store on a table in PostgreSQL, MariaDB (MySQL) or H2. Thread-safe.
 *
 * <p>Each verb runs in a short transaction of its own, on a connection of its own, whatever
 * transaction the calling thread is in: what it answers is committed. So beside a handler that
 * holds a connection it needs a second one; a pool has to have room for both.
 *
 * <p>Making a store does not reach for the database. The first call does, and checks the table;
 * {@link JdbcSchema} does the same earlier.
 */
public final class JdbcClaimStore implements ClaimStore {

  /** The name of the table unless said otherwise. */
  public static final String DEFAULT_TABLE = "dedup_claim";

  /** The seconds that a statement may take unless said otherwise. */
  public static final int DEFAULT_QUERY_TIMEOUT_SECONDS = 5;

  /** How many keys of a long list share a transaction. */
  private static final int PART_MAX = 500;

  private final OwnTransactions transactions;
  private final KeyFormat keyFormat;
  private final StoreTime time;
  private final TransitionTable rules = TransitionTable.rules();

  private JdbcClaimStore(Builder builder) {
    this.transactions =
        new OwnTransactions(builder.dataSource, builder.table, builder.queryTimeout);
    this.keyFormat = builder.keyFormat;
    this.time = builder.time;
  }

  /**
   * Returns a builder of a store on {@code dataSource}. A proxy that hands out the connection of
   * the caller's transaction is looked through.
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    Requests requests = Requests.of(keyFormat, settlements, claims);
    return transactions.run(
        "exchange",
        (connection, table) -> {
          Long now = table.dialect().time(time);
          Decisions decisions = new Decisions(table, now);
          var settled = decisions.decide(connection, requests.settlements(rules));
          var inserted =
              table.insertAbsent(connection, Requests.insertable(requests.sortedClaims()), now);
          var claimed = decisions.decideInserted(connection, requests.claims(rules), inserted);
          return requests.exchange(decisions.storeTime(connection), settled, claimed);
        });
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return decide("issue", key, (found, now) -> rules.issue(found, ttl, now));
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    SortedMap<StoredKey, IdempotencyKey> stored = new TreeMap<>();
    keys.forEach(key -> stored.put(StoredKey.of(keyFormat, key), key));
    Map<IdempotencyKey, ClaimRecord> live = new HashMap<>();
    if (stored.isEmpty()) {
      return live;
    }
    Found found =
        transactions.run(
            "find",
            (connection, table) -> {
              Long now = table.dialect().time(time);
              return stored.size() == 1
                  ? table.find(connection, stored.firstKey(), now)
                  : table.read(connection, List.copyOf(stored.keySet()), now, Dialect.Lock.NONE);
            });
    found
        .records()
        .forEach(
            (key, record) -> {
              if (record.expires().isAfter(found.now())) {
                live.put(Objects.requireNonNull(stored.get(key)), record);
              }
            });
    return live;
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    String note = AuditNote.resolved(who, why);
    return decide(
        "resolve", key, (found, now) -> rules.resolve(found, token, resolution, note, now));
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    String note = AuditNote.reopened(who, why);
    return decide("reopen", key, (found, now) -> rules.reopen(found, note, now));
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    StoredKey stored = StoredKey.of(keyFormat, key);
    return transactions.run(
        "forget",
        (connection, table) ->
            new Upkeep(table).remove(connection, stored, table.dialect().time(time)));
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    Map<StoredKey, Decision<Boolean>> decisions = new TreeMap<>();
    records.forEach(
        (key, copy) ->
            decisions.put(
                StoredKey.of(keyFormat, key), (found, now) -> rules.merge(found, copy, now)));
    return Math.toIntExact(count("merge", decisions));
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return extendStored(keys.stream().map(key -> StoredKey.of(keyFormat, key)).toList(), ttl);
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    long changed = 0;
    KeyRange rest = KeyRange.of(keyFormat.scopePrefix(scope));
    while (true) {
      KeyRange range = rest;
      List<StoredKey> keys =
          transactions.run(
              "extendScope",
              (connection, table) -> new Upkeep(table).completed(connection, range, PART_MAX));
      changed += extendStored(keys, ttl);
      if (keys.size() < PART_MAX) {
        return changed;
      }
      rest = range.after(keys.get(keys.size() - 1));
    }
  }

  @Override
  public int purgeExpired(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: was " + limit + ", must be at least 1");
    }
    return transactions.run(
        "purgeExpired",
        (connection, table) -> {
          long now = table.now(connection, table.dialect().time(time));
          Upkeep upkeep = new Upkeep(table);
          List<StoredKey> expired = upkeep.lockExpired(connection, limit, now);
          upkeep.delete(connection, expired);
          return expired.size();
        });
  }

  @Override
  public StoreStats stats() {
    return transactions.run(
        "stats",
        (connection, table) -> new Upkeep(table).stats(connection, table.dialect().time(time)));
  }

  /**
   * Reads which database this is, and which of its timelines, as a short text of hexadecimal
   * digits: for the names of keys in a store in front of it. It changes when a standby was
   * promoted, when the database was recovered to a point in time, and with another server, database
   * or table.
   *
   * @throws io.dedup.claim.StoreMisconfigured if the database does not let us; the message says
   *     what to change
   * @throws io.dedup.claim.StoreUnavailable if it does not answer
   */
  public String identity() {
    return transactions.run(
        "identity",
        (connection, table) -> DatabaseIdentity.read(connection, table, transactions.tableName()));
  }

  OwnTransactions transactions() {
    return transactions;
  }

  KeyFormat keyFormat() {
    return keyFormat;
  }

  StoreTime time() {
    return time;
  }

  private <A> A decide(String verb, IdempotencyKey key, Decision<A> decision) {
    StoredKey stored = StoredKey.of(keyFormat, key);
    return Objects.requireNonNull(decide(verb, Map.of(stored, decision)).get(stored));
  }

  private <A> Map<StoredKey, A> decide(String verb, Map<StoredKey, Decision<A>> decisions) {
    return transactions.run(
        verb,
        (connection, table) ->
            new Decisions(table, table.dialect().time(time))
                .decide(connection, new TreeMap<>(decisions)));
  }

  private long extendStored(List<StoredKey> keys, Duration ttl) {
    Map<StoredKey, Decision<Boolean>> decisions = new TreeMap<>();
    keys.forEach(key -> decisions.put(key, (found, now) -> rules.extend(found, ttl, now)));
    return count("extend", decisions);
  }

  /** Decides in parts, and counts the answers that are true. */
  private long count(String verb, Map<StoredKey, Decision<Boolean>> decisions) {
    long count = 0;
    for (List<StoredKey> part : Parts.of(List.copyOf(decisions.keySet()), PART_MAX)) {
      Map<StoredKey, Decision<Boolean>> some = new TreeMap<>(decisions);
      some.keySet().retainAll(part);
      count += decide(verb, some).values().stream().filter(changed -> changed).count();
    }
    return count;
  }

  /** Collects the settings of a store. */
  public static final class Builder {
    private final DataSource dataSource;
    private TableName table = TableName.of(DEFAULT_TABLE);
    private KeyFormat keyFormat = KeyFormat.digest();
    private StoreTime time = StoreTime.ofServer();
    private Duration queryTimeout = Duration.ofSeconds(DEFAULT_QUERY_TIMEOUT_SECONDS);

    private Builder(DataSource dataSource) {
      DataSource target =
          dataSource instanceof TransactionAwareDataSourceProxy proxy
              ? proxy.getTargetDataSource()
              : dataSource;
      this.dataSource = target == null ? dataSource : target;
    }

    /**
     * Sets the table; by default {@value #DEFAULT_TABLE}. The name means what it would mean
     * unquoted in SQL.
     *
     * @param name {@code table} or {@code schema.table}
     * @throws IllegalArgumentException if it is not such a name
     */
    public Builder table(String name) {
      this.table = TableName.of(name);
      return this;
    }

    /** Sets the form in which keys are kept; by default {@link KeyFormat#digest()}. */
    public Builder keyFormat(KeyFormat format) {
      this.keyFormat = format;
      return this;
    }

    /** Sets what to judge by; by default the server's clock. */
    public Builder time(StoreTime storeTime) {
      this.time = storeTime;
      return this;
    }

    /**
     * Sets how long a statement may take, waiting for rows included; by default {@value
     * #DEFAULT_QUERY_TIMEOUT_SECONDS} seconds. A statement that takes longer ends in {@code
     * StoreUnavailable}.
     *
     * @param timeout whole seconds, from one second to an hour
     * @throws IllegalArgumentException if it is not
     */
    public Builder queryTimeout(Duration timeout) {
      long seconds = timeout.toSeconds();
      if (seconds < 1 || seconds > 3600 || !timeout.equals(Duration.ofSeconds(seconds))) {
        throw new IllegalArgumentException(
            "queryTimeout: was " + timeout + ", must be whole seconds from PT1S to PT1H");
      }
      this.queryTimeout = timeout;
      return this;
    }

    /** Returns the store. */
    public JdbcClaimStore build() {
      return new JdbcClaimStore(this);
    }
  }
}
