// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A table of the application, and how guards reach it: in the caller's transaction if there is one,
 * else each call for itself. Thread-safe.
 *
 * <p>What would silently be kept apart from the caller's transaction, or not at all, is refused:
 * another {@code DataSource}'s transaction, a read-only one, one that has ended, and a connection
 * without auto-commit outside of any.
 */
final class GuardedTable {

  private final JdbcTemplate jdbc;
  private final DataSource dataSource;
  private final TableName name;
  private final List<String> key;
  private volatile @Nullable Dialect dialect;

  /**
   * Names the table.
   *
   * @param key the columns that its rows are unique by
   */
  GuardedTable(JdbcTemplate jdbc, TableName name, List<String> key) {
    this.jdbc = jdbc;
    this.dataSource = Objects.requireNonNull(jdbc.getDataSource(), "dataSource of the template");
    this.name = name;
    this.key = key;
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key: was empty, must name at least one column");
    }
  }

  /** Returns the name that a builder was given. */
  static TableName required(@Nullable TableName name) {
    if (name == null) {
      throw new IllegalArgumentException("table: was not set, must be named");
    }
    return name;
  }

  TableName name() {
    return name;
  }

  List<String> key() {
    return key;
  }

  /**
   * Does something with one connection: that of the caller's transaction, if there is one.
   *
   * @throws IllegalTransactionStateException if what it writes would not be part of the caller's
   *     transaction, or lost
   * @throws ConcurrencyFailureException if the database ended the transaction in favour of another,
   *     or the wait for a row is over
   * @throws DataAccessException if there is other trouble
   */
  <A> A run(SqlWork<A> work) {
    ConnectionHolder transaction = transaction();
    try {
      ConnectionCallback<A> callback =
          connection -> {
            checkKept(connection, transaction);
            return work.run(connection);
          };
      return Objects.requireNonNull(jdbc.execute(callback));
    } catch (DataAccessException e) {
      SqlTrouble trouble = SqlTrouble.within(e);
      if (trouble != SqlTrouble.CONFLICT && trouble != SqlTrouble.ROW_BUSY) {
        throw e;
      }
      // MariaDB has rolled back already, and would take what follows for another transaction:
      // whoever swallows what we throw must not commit that without what went before.
      if (transaction != null) {
        transaction.setRollbackOnly();
      }
      // Not each code is known to Spring as what it is.
      throw e instanceof ConcurrencyFailureException
          ? e
          : new ConcurrencyFailureException(
              "table " + name + ": the database decided for another transaction", e);
    }
  }

  private void checkKept(Connection connection, @Nullable ConnectionHolder transaction)
      throws SQLException {
    boolean within = transaction != null;
    if (connection.getAutoCommit() == within) {
      throw refused(
          within
              ? "the transaction has begun none on this DataSource"
              : "there is no transaction, and without auto-commit nothing would be kept");
    }
  }

  /** Returns the connection of the caller's transaction, or null if there is none. */
  private @Nullable ConnectionHolder transaction() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return null;
    }
    // Listeners of a transaction's end are called when it has been committed, with its connection
    // still there: what they write is in no transaction.
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      throw refused("the transaction has ended");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw refused("the transaction is read-only");
    }
    DataSource target =
        dataSource instanceof TransactionAwareDataSourceProxy proxy
            ? Objects.requireNonNull(proxy.getTargetDataSource())
            : dataSource;
    if (!(TransactionSynchronizationManager.getResource(target)
        instanceof ConnectionHolder holder)) {
      throw refused(
          "the transaction is not one of this DataSource (the very object that its manager was"
              + " given)");
    }
    return holder;
  }

  private IllegalTransactionStateException refused(String why) {
    return new IllegalTransactionStateException(
        "table "
            + name
            + ": must be written within a transaction of its DataSource, or without any, but "
            + why);
  }

  Dialect dialect(Connection connection) throws SQLException {
    Dialect known = dialect;
    if (known == null) {
      known = Dialect.of(connection);
      dialect = known;
    }
    return known;
  }

  /** Returns the values of the key's columns: {@code id} itself, or what it lists. */
  List<?> keyValues(Object id) {
    List<?> values = id instanceof List<?> list ? list : List.of(id);
    if (values.size() != key.size()) {
      throw new IllegalArgumentException(
          "key: had " + values.size() + " values, must have one for each of " + key);
    }
    requireValues(values);
    return values;
  }

  /** A null equals nothing in SQL: the row would never be found, and inserted time and again. */
  void requireValues(List<?> values) {
    if (values.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("key: was null, must have values for " + key);
    }
  }

  int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** Returns the first row, or null if there is none. */
  <T> @Nullable T first(
      Connection connection, String sql, RowMapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? mapper.mapRow(rows, 0) : null;
    }
  }

  private PreparedStatement prepare(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      DataSourceUtils.applyTimeout(statement, dataSource, jdbc.getQueryTimeout());
      new ArgumentPreparedStatementSetter(values).setValues(statement);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  String quotedName(Dialect of) {
    return of.quoted(name);
  }

  static String quoted(Dialect of, String column) {
    return of.quoted(new TableName(null, column));
  }

  static String quoted(Dialect of, List<String> columns) {
    return columns.stream().map(column -> quoted(of, column)).collect(Collectors.joining(", "));
  }

  /** Returns the condition that finds the row of a key. */
  String whereKey(Dialect of) {
    return key.stream()
        .map(column -> quoted(of, column) + " = ?")
        .collect(Collectors.joining(" AND ", " WHERE ", ""));
  }
}
