// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The store's own short transactions, each on a connection of its own, whatever transaction the
 * calling thread is in. Thread-safe.
 *
 * <p>The first connection tells which database it is, and whether the table is as it must be; until
 * then nothing else is done. So a store can be made while the database is down.
 */
final class OwnTransactions {

  /** How often a transaction is tried that the server ends in favour of another. */
  static final int TRIES_MAX = 8;

  private static final Logger log = LoggerFactory.getLogger(OwnTransactions.class);
  private static final long PAUSE_MILLIS = 5;

  /**
   * A server that does not even answer the cancelling of a statement counts as gone after this much
   * more.
   */
  private static final Duration NETWORK_GRACE = Duration.ofSeconds(1);

  private final DataSource dataSource;
  private final TableName name;
  private final Duration queryTimeout;
  private volatile @Nullable ClaimTable validated;
  private volatile @Nullable Integer isolationByDefault;

  OwnTransactions(DataSource dataSource, TableName name, Duration queryTimeout) {
    this.dataSource = dataSource;
    this.name = name;
    this.queryTimeout = queryTimeout;
  }

  DataSource dataSource() {
    return dataSource;
  }

  TableName tableName() {
    return name;
  }

  /**
   * Runs {@code work} in a transaction and commits it.
   *
   * @throws StoreException if there was trouble; the work may be stored or not
   */
  <T> T run(String verb, TableWork<T> work) {
    boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    // A DataSource that sends read-only transactions to a replica looks at this flag of the
    // caller's transaction.
    TransactionSynchronizationManager.setCurrentTransactionReadOnly(false);
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return once(work);
        } catch (SQLException e) {
          if (attempt == TRIES_MAX || !isWorthAnotherTry(e)) {
            throw SqlTrouble.exception("table " + name, verb, e);
          }
          log.debug("table {}: {} met another transaction, try {} failed", name, verb, attempt, e);
          pause(attempt);
        } catch (StoreException | IllegalArgumentException e) {
          throw e;
        } catch (RuntimeException e) {
          // A pool that cannot be filled, for one, does not say so with an SQLException.
          throw new StoreUnavailable(
              "table " + name + ": " + verb + " failed: " + e.getMessage(), e);
        }
      }
    } finally {
      TransactionSynchronizationManager.setCurrentTransactionReadOnly(readOnly);
    }
  }

  /** H2 answers a race of two inserts with a duplicate key; elsewhere none can come up. */
  private static boolean isWorthAnotherTry(SQLException e) {
    SqlTrouble trouble = SqlTrouble.within(e);
    return trouble == SqlTrouble.CONFLICT || trouble == SqlTrouble.DUPLICATE;
  }

  private static void pause(int attempt) {
    long millis = ThreadLocalRandom.current().nextLong(PAUSE_MILLIS * attempt);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private <T> T once(TableWork<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      int timeoutMillis = connection.getNetworkTimeout();
      try {
        long limitMillis = queryTimeout.plus(NETWORK_GRACE).toMillis();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limitMillis));
        ClaimTable table = tableOn(connection);
        begin(connection, table.dialect());
        T result = work.run(connection, table);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollBack(connection, e);
        throw e;
      } finally {
        restore(connection, autoCommit, timeoutMillis);
      }
    }
  }

  /**
   * Returns the table; the first time, it is validated through {@code connection}, which is left as
   * it is.
   */
  ClaimTable tableOn(Connection connection) throws SQLException {
    ClaimTable known = validated;
    if (known != null) {
      return known;
    }
    Dialect dialect = Dialect.of(connection);
    JdbcSchema.validate(connection, dialect, name);
    ClaimTable table = new ClaimTable(dialect, name, Math.toIntExact(queryTimeout.toSeconds()));
    validated = table;
    return table;
  }

  /**
   * Begins a READ COMMITTED transaction, so that each statement sees what was committed before it.
   *
   * <p>What level the pool hands out is asked once. A connection that comes with a stricter one
   * later does no harm: what it cannot do ends in a conflict, and is tried again.
   */
  private void begin(Connection connection, Dialect dialect) throws SQLException {
    Integer level = isolationByDefault;
    if (level == null) {
      level = connection.getTransactionIsolation();
      isolationByDefault = level;
    }
    if (!connection.getAutoCommit()) {
      // Looking around may have begun a transaction.
      connection.rollback();
    }
    if (connection.isReadOnly()) {
      connection.setReadOnly(false);
    }
    connection.setAutoCommit(false);
    if (level != Connection.TRANSACTION_READ_COMMITTED) {
      dialect.readCommitted(connection);
    }
  }

  private static void rollBack(Connection connection, Exception why) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  /** A pool may trust its users to hand a connection back as they got it. */
  private static void restore(Connection connection, boolean autoCommit, int timeoutMillis) {
    try {
      if (!connection.isClosed()) {
        connection.setAutoCommit(autoCommit);
        connection.setNetworkTimeout(Runnable::run, timeoutMillis);
      }
    } catch (SQLException e) {
      log.debug("a connection could not be restored", e);
    }
  }
}
