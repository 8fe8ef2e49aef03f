// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.ResultStore;
import io.dedup.TransactionConflict;
import io.dedup.claim.StoreTime;
import io.dedup.claim.StoredResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Large results in a table of their own in PostgreSQL, MariaDB (MySQL) or H2. Thread-safe.
 *
 * <p>Where the calling thread is in a transaction of the same {@code DataSource}, a result is part
 * of it: with the inbox, it is committed with the completion that refers to it, or not at all.
 * Else, and once that transaction has ended, it is written and committed on a connection of its
 * own. Its time is that of the server.
 *
 * <p>A result that no record refers to is removed when its time is over, as all are: have a {@link
 * PurgeSchedule}. Purging is never part of the caller's transaction.
 *
 * <p>Making a store does not reach for the database. The first call does, and checks the table;
 * {@link JdbcSchema#ofResults} does the same earlier.
 */
public final class JdbcResultStore implements ResultStore {

  /** The name of the table unless said otherwise. */
  public static final String DEFAULT_TABLE = "dedup_result";

  /** The bytes that a result may have unless said otherwise. */
  public static final long DEFAULT_MAX_BYTES = 8L * 1024 * 1024;

  /** The seconds that a statement may take unless said otherwise. */
  public static final int DEFAULT_QUERY_TIMEOUT_SECONDS = 10;

  private static final long MAX_BYTES_MAX = 256L * 1024 * 1024;

  private final DataSource dataSource;
  private final TableName name;
  private final StoreTime time;
  private final long maxBytes;
  private final Duration queryTimeout;
  private volatile @Nullable ResultTable validated;

  private JdbcResultStore(Builder builder) {
    this.dataSource = builder.dataSource;
    this.name = builder.table;
    this.time = builder.time;
    this.maxBytes = builder.maxBytes;
    this.queryTimeout = builder.queryTimeout;
  }

  /**
   * Returns a builder of a store on {@code dataSource}. A proxy that hands out the connection of
   * the caller's transaction is looked through.
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  @Override
  public long maxBytes() {
    return maxBytes;
  }

  @Override
  public String put(StoredResult result, Duration ttl) {
    if (result.bytes().length > maxBytes) {
      throw new IllegalArgumentException(
          "result: was " + result.bytes().length + " bytes, must be at most " + maxBytes);
    }
    checkTtl(ttl);
    UUID id = UUID.randomUUID();
    within(
        "put",
        (connection, table, now) -> {
          table.insert(connection, id, result, Micros.of(ttl), now);
          return id;
        });
    return id.toString();
  }

  @Override
  public Optional<StoredResult> find(String reference) {
    UUID id = id(reference);
    return id == null
        ? Optional.empty()
        : within("find", (connection, table, now) -> table.find(connection, id, now));
  }

  @Override
  public void extend(String reference, Duration ttl) {
    checkTtl(ttl);
    UUID id = id(reference);
    if (id != null) {
      within(
          "extend", (connection, table, now) -> table.extend(connection, id, Micros.of(ttl), now));
    }
  }

  @Override
  public int purgeExpired(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: was " + limit + ", must be at least 1");
    }
    return alone("purgeExpired", (connection, table, now) -> table.purge(connection, limit, now));
  }

  private static void checkTtl(Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException("ttl: was " + ttl + ", must be above PT0S");
    }
  }

  /** Returns null for what no reference of ours looks like. */
  private static @Nullable UUID id(String reference) {
    try {
      UUID id = UUID.fromString(reference);
      return id.toString().equals(reference) ? id : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Does the work in the caller's transaction, if there is one to take part in. */
  private <T> T within(String verb, ResultWork<T> work) {
    // While listeners are told that a transaction has ended its connection is there still. What is
    // written on it would be committed late, or rolled back by the pool.
    // A read-only transaction may be on a replica, which does not have everything yet.
    boolean open =
        TransactionSynchronizationManager.isActualTransactionActive()
            && TransactionSynchronizationManager.isSynchronizationActive()
            && !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    if (!open
        || !(TransactionSynchronizationManager.getResource(dataSource)
            instanceof ConnectionHolder holder)) {
      return alone(verb, work);
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return run(connection, work);
    } catch (SQLException e) {
      // Whoever swallows what we throw must not commit a completion without its result.
      holder.setRollbackOnly();
      SqlTrouble trouble = SqlTrouble.within(e);
      throw trouble == SqlTrouble.CONFLICT || trouble == SqlTrouble.ROW_BUSY
          ? new TransactionConflict("the database ended the transaction in favour of another", e)
          : SqlTrouble.exception("table " + name, verb, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private <T> T alone(String verb, ResultWork<T> work) {
    return ShortTransaction.run(
        dataSource, "table " + name, verb, connection -> run(connection, work));
  }

  private <T> T run(Connection connection, ResultWork<T> work) throws SQLException {
    ResultTable table = tableOn(connection);
    return work.run(connection, table, table.dialect().time(time));
  }

  private ResultTable tableOn(Connection connection) throws SQLException {
    ResultTable known = validated;
    if (known == null) {
      Dialect dialect = Dialect.of(connection);
      JdbcSchema.validate(connection, dialect, TableKind.RESULTS, name);
      known = new ResultTable(dialect, name, Math.toIntExact(queryTimeout.toSeconds()));
      validated = known;
    }
    return known;
  }

  /**
   * Something to do with the table.
   *
   * @param <T> what it returns
   */
  @FunctionalInterface
  private interface ResultWork<T> {
    T run(Connection connection, ResultTable table, @Nullable Long now) throws SQLException;
  }

  /** Collects the settings of a store. */
  public static final class Builder {
    private final DataSource dataSource;
    private TableName table = TableName.of(DEFAULT_TABLE);
    private StoreTime time = StoreTime.ofServer();
    private long maxBytes = DEFAULT_MAX_BYTES;
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

    /** Sets what to judge by; by default the server's clock. */
    public Builder time(StoreTime storeTime) {
      this.time = storeTime;
      return this;
    }

    /**
     * Sets how large a result may be; by default {@value #DEFAULT_MAX_BYTES} bytes. A server of
     * MariaDB or MySQL has a limit of its own, {@code max_allowed_packet}.
     *
     * @param bytes 1 to 256 MiB
     * @throws IllegalArgumentException if it is not
     */
    public Builder maxBytes(long bytes) {
      if (bytes < 1 || bytes > MAX_BYTES_MAX) {
        throw new IllegalArgumentException(
            "maxBytes: was " + bytes + ", must be 1 to " + MAX_BYTES_MAX);
      }
      this.maxBytes = bytes;
      return this;
    }

    /**
     * Sets how long a statement may take; by default {@value #DEFAULT_QUERY_TIMEOUT_SECONDS}
     * seconds.
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
    public JdbcResultStore build() {
      return new JdbcResultStore(this);
    }
  }
}
