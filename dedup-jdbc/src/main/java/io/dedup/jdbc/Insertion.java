// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.RowMapper;

/**
 * How a database inserts a row unless its key is there, and tells which of the two it was.
 * Thread-safe.
 *
 * <p>How many rows a statement changed does not tell it on MariaDB and MySQL: their drivers ask for
 * the number of rows found, which is 1 either way.
 */
abstract sealed class Insertion {

  private final GuardedTable table;
  final String insert;
  private final String read;

  private Insertion(GuardedTable table, String insert, String read) {
    this.table = table;
    this.insert = insert;
    this.read = read;
  }

  /** Returns the one of the database behind {@code connection}. */
  static Insertion of(
      GuardedTable table, List<String> columns, List<String> returning, Connection connection)
      throws SQLException {
    Dialect dialect = table.dialect(connection);
    String name = table.quotedName(dialect);
    String names = GuardedTable.quoted(dialect, columns);
    String values = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
    String key = GuardedTable.quoted(dialect, table.key());
    String result = GuardedTable.quoted(dialect, returning);
    String insert = "INSERT INTO " + name + " (" + names + ")";
    String where = table.whereKey(dialect);
    String read = " FROM " + name + where + Dialect.Lock.WAIT.sql();
    if (dialect instanceof PostgresDialect) {
      return new ByReturning(
          table,
          insert
              + " VALUES ("
              + values
              + ") ON CONFLICT ("
              + key
              + ") DO NOTHING RETURNING "
              + result,
          "SELECT " + result + read);
    }
    checkUnique(table, dialect, connection);
    if (dialect instanceof MariaDbDialect) {
      String first = GuardedTable.quoted(dialect, table.key().get(0));
      return new ByMark(
          table,
          insert
              + " VALUES ("
              + values
              + ") ON DUPLICATE KEY UPDATE "
              + "%1$s = IF(LAST_INSERT_ID(?) = 0, %1$s, %1$s)".formatted(first),
          "SELECT " + result + read);
    }
    return new ByCount(
        table,
        insert + " SELECT " + values + " WHERE NOT EXISTS (SELECT 1 FROM " + name + where + ")",
        "SELECT " + result + read);
  }

  /**
   * Inserts the row, or reads the one that is there.
   *
   * @return null if a row was in the way, and none is there with this key
   */
  abstract <T> InsertOnce.@Nullable Answer<T> attempt(
      Connection connection, @Nullable Object[] values, Object[] key, RowMapper<T> mapper)
      throws SQLException;

  <T> @Nullable T read(Connection connection, Object[] key, RowMapper<T> mapper)
      throws SQLException {
    return table.first(connection, read, mapper, key);
  }

  GuardedTable table() {
    return table;
  }

  static <T> InsertOnce.@Nullable Answer<T> found(@Nullable T row) {
    return row == null ? null : new InsertOnce.Found<>(row);
  }

  /** PostgreSQL asks for the constraint itself, by ON CONFLICT. */
  private static void checkUnique(GuardedTable table, Dialect dialect, Connection connection)
      throws SQLException {
    Set<String> wanted =
        table.key().stream().map(Insertion::lower).collect(Collectors.toUnmodifiableSet());
    Set<Set<String>> found = uniqueBy(connection, dialect, table.name());
    if (!found.contains(wanted)) {
      throw new InvalidDataAccessResourceUsageException(
          "table "
              + table.name()
              + ": was unique by "
              + (found.isEmpty() ? "nothing" : found)
              + ", must have a unique constraint on exactly "
              + wanted);
    }
  }

  private static Set<Set<String>> uniqueBy(Connection connection, Dialect dialect, TableName name)
      throws SQLException {
    String schema = dialect.schemaOf(connection, name);
    boolean byCatalog = dialect instanceof MariaDbDialect;
    DatabaseMetaData meta = connection.getMetaData();
    Map<String, Set<String>> byIndex = new HashMap<>();
    try (ResultSet row =
        meta.getIndexInfo(
            byCatalog ? schema : null,
            byCatalog ? null : schema,
            dialect.folded(name.table()),
            true,
            true)) {
      while (row.next()) {
        String column = row.getString("COLUMN_NAME");
        if (column != null) {
          byIndex
              .computeIfAbsent(row.getString("INDEX_NAME"), index -> new HashSet<>())
              .add(lower(column));
        }
      }
    }
    return Set.copyOf(byIndex.values());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** PostgreSQL returns what it inserted, and nothing of what was there. */
  private static final class ByReturning extends Insertion {

    ByReturning(GuardedTable table, String insert, String read) {
      super(table, insert, read);
    }

    @Override
    <T> InsertOnce.@Nullable Answer<T> attempt(
        Connection connection, @Nullable Object[] values, Object[] key, RowMapper<T> mapper)
        throws SQLException {
      T inserted = table().first(connection, insert, mapper, values);
      return inserted == null
          ? found(read(connection, key, mapper))
          : new InsertOnce.Inserted<>(inserted);
    }
  }

  /**
   * MariaDB and MySQL: the part of the statement that runs when the row is there leaves a mark in
   * the session, by {@code LAST_INSERT_ID(…)}, and changes nothing else.
   */
  private static final class ByMark extends Insertion {

    private static final String MARK = "SELECT LAST_INSERT_ID()";

    /** Above what a column numbers its rows with. */
    private static final long MARK_MIN = 1L << 62;

    ByMark(GuardedTable table, String insert, String read) {
      super(table, insert, read);
    }

    @Override
    <T> InsertOnce.@Nullable Answer<T> attempt(
        Connection connection, @Nullable Object[] values, Object[] key, RowMapper<T> mapper)
        throws SQLException {
      long mark = ThreadLocalRandom.current().nextLong(MARK_MIN, Long.MAX_VALUE);
      @Nullable Object[] all = Arrays.copyOf(values, values.length + 1);
      all[values.length] = mark;
      table().update(connection, insert, all);
      Long left = table().first(connection, MARK, (row, number) -> row.getLong(1));
      boolean there = left != null && left == mark;
      T row = read(connection, key, mapper);
      if (row == null || there) {
        return found(row);
      }
      return new InsertOnce.Inserted<>(row);
    }
  }

  /** H2 has no statement that leaves a rival's row alone: it fails, and its transaction goes on. */
  private static final class ByCount extends Insertion {

    ByCount(GuardedTable table, String insert, String read) {
      super(table, insert, read);
    }

    @Override
    <T> InsertOnce.@Nullable Answer<T> attempt(
        Connection connection, @Nullable Object[] values, Object[] key, RowMapper<T> mapper)
        throws SQLException {
      @Nullable Object[] all = Arrays.copyOf(values, values.length + key.length);
      System.arraycopy(key, 0, all, values.length, key.length);
      try {
        if (table().update(connection, insert, all) == 1) {
          T row = read(connection, key, mapper);
          return row == null ? null : new InsertOnce.Inserted<>(row);
        }
      } catch (SQLException e) {
        if (SqlTrouble.of(e) != SqlTrouble.DUPLICATE) {
          throw e;
        }
        return meets(connection, key, mapper, e);
      }
      return found(read(connection, key, mapper));
    }

    /** Behind a snapshot it may be that the row cannot be seen, only met. */
    private <T> InsertOnce.@Nullable Answer<T> meets(
        Connection connection, Object[] key, RowMapper<T> mapper, SQLException e)
        throws SQLException {
      T row = read(connection, key, mapper);
      if (row == null
          && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
        throw new SQLException("a row later than the snapshot is in the way", "40001", e);
      }
      return found(row);
    }
  }
}
