// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreMisconfigured;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A table of {@link JdbcClaimStore} or {@link JdbcResultStore}: makes it, and checks that it is as
 * it must be. Thread-safe.
 *
 * <p>The scripts are plain SQL in this jar, one folder per database ({@code
 * io/dedup/jdbc/postgresql}, {@code …/mariadb}, {@code …/h2}), named as Flyway wants them. They
 * make tables of the default names; {@link #createIfMissing} puts the name asked for in its place.
 */
public final class JdbcSchema {

  // In capitals, for an H2 that folds no names.
  private static final String COLUMNS =
      "SELECT COLUMN_NAME, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, IS_NULLABLE, COLUMN_DEFAULT"
          + " FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

  private static final String UNIQUE =
      "SELECT C.CONSTRAINT_NAME, K.COLUMN_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS C"
          + " JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE K ON K.CONSTRAINT_NAME = C.CONSTRAINT_NAME"
          + " AND K.TABLE_SCHEMA = C.TABLE_SCHEMA AND K.TABLE_NAME = C.TABLE_NAME"
          + " WHERE C.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE')"
          + " AND C.TABLE_SCHEMA = ? AND C.TABLE_NAME = ?";

  private static final int LOOKS_MAX = 20;
  private static final long PAUSE_NANOS = 10_000_000;

  private final DataSource dataSource;
  private final TableKind kind;
  private final TableName name;

  private JdbcSchema(DataSource dataSource, TableKind kind, TableName name) {
    this.dataSource = dataSource;
    this.kind = kind;
    this.name = name;
  }

  /** Returns the schema of the table {@value JdbcClaimStore#DEFAULT_TABLE}. */
  public static JdbcSchema of(DataSource dataSource) {
    return of(dataSource, JdbcClaimStore.DEFAULT_TABLE);
  }

  /**
   * Returns the schema of a table of claims.
   *
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if it is not such a name
   */
  public static JdbcSchema of(DataSource dataSource, String table) {
    return new JdbcSchema(dataSource, TableKind.CLAIMS, TableName.of(table));
  }

  /** Returns the schema of the table {@value JdbcResultStore#DEFAULT_TABLE}. */
  public static JdbcSchema ofResults(DataSource dataSource) {
    return ofResults(dataSource, JdbcResultStore.DEFAULT_TABLE);
  }

  /**
   * Returns the schema of a table of results.
   *
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if it is not such a name
   */
  public static JdbcSchema ofResults(DataSource dataSource, String table) {
    return new JdbcSchema(dataSource, TableKind.RESULTS, TableName.of(table));
  }

  /**
   * Makes the table unless there is one, then checks it. For tests, and for applications that may
   * change their schema; others run the scripts themselves.
   *
   * @throws StoreException if there is a table that will not do, or trouble
   */
  public void createIfMissing() {
    run(
        "create",
        connection -> {
          Dialect dialect = Dialect.of(connection);
          if (!exists(connection, dialect)) {
            createOrMeet(connection, dialect);
          }
          validateOnceMade(connection, dialect);
          return true;
        });
  }

  /** H2 shows a table before its key and its columns, while another process is making it. */
  private void validateOnceMade(Connection connection, Dialect dialect) throws SQLException {
    for (int look = 1; ; look++) {
      try {
        validate(connection, dialect, kind, name);
        return;
      } catch (StoreMisconfigured e) {
        if (look == LOOKS_MAX || !(dialect instanceof H2Dialect)) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * Checks the table: its columns and their types, and a primary key or unique constraint on
   * exactly the key.
   *
   * @throws StoreMisconfigured if it is missing, or not as it must be
   * @throws StoreException if there is trouble
   */
  public void validate() {
    run(
        "validate",
        connection -> {
          validate(connection, Dialect.of(connection), kind, name);
          return true;
        });
  }

  static void validate(Connection connection, Dialect dialect, TableName name) throws SQLException {
    validate(connection, dialect, TableKind.CLAIMS, name);
  }

  static void validate(Connection connection, Dialect dialect, TableKind kind, TableName name)
      throws SQLException {
    String schema = dialect.schemaOf(connection, name);
    String table = dialect.folded(name.table());
    Map<String, Column> found = schema == null ? Map.of() : columns(connection, schema, table);
    if (schema == null || found.isEmpty()) {
      throw new StoreMisconfigured(
          "table "
              + name
              + ": was not found; make it with the scripts in io/dedup/jdbc/"
              + dialect.folder()
              + " of the dedup-jdbc jar, or with JdbcSchema.createIfMissing()",
          null);
    }
    dialect.checkDatabase(connection);
    checkColumns(name, kind.columnTypes(dialect), found);
    checkUnique(name, kind.key(), uniqueKeys(connection, schema, table));
    kind.check(connection, dialect, schema, name);
  }

  private static void checkColumns(
      TableName name, Map<String, ColumnType> wanted, Map<String, Column> found) {
    wanted.forEach(
        (column, type) -> {
          Column there = found.get(column);
          if (there == null) {
            throw new StoreMisconfigured(
                "table "
                    + name
                    + ": column "
                    + column
                    + " was not found, must be "
                    + type
                    + "; a table of another version needs this version's scripts",
                null);
          }
          if (!type.admits(there.type(), there.length())) {
            throw new StoreMisconfigured(
                "table " + name + ": column " + column + " was " + there + ", must be " + type,
                null);
          }
        });
    found.forEach(
        (column, there) -> {
          if (there.required() && !wanted.containsKey(column)) {
            throw new StoreMisconfigured(
                "table "
                    + name
                    + ": column "
                    + column
                    + " is none of ours and must be filled; a table of"
                    + " a newer version needs a newer library",
                null);
          }
        });
  }

  private static void checkUnique(TableName name, String key, Set<Set<String>> keys) {
    if (!keys.contains(Set.of(key))) {
      throw new StoreMisconfigured(
          "table "
              + name
              + ": was unique by "
              + (keys.isEmpty() ? "nothing" : keys)
              + ", must have a primary key or unique constraint on "
              + key
              + " alone: with more columns it would accept a key more than once",
          null);
    }
  }

  private static Map<String, Column> columns(Connection connection, String schema, String table)
      throws SQLException {
    Map<String, Column> columns = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, schema);
      statement.setString(2, table);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          boolean required = "NO".equals(row.getString(4)) && row.getString(5) == null;
          columns.put(
              lower(row.getString(1)),
              new Column(lower(row.getString(2)), row.getLong(3), required));
        }
      }
    }
    return columns;
  }

  private static Set<Set<String>> uniqueKeys(Connection connection, String schema, String table)
      throws SQLException {
    Map<String, Set<String>> byName = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(UNIQUE)) {
      statement.setString(1, schema);
      statement.setString(2, table);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          byName
              .computeIfAbsent(row.getString(1), constraint -> new TreeSet<>())
              .add(lower(row.getString(2)));
        }
      }
    }
    return Set.copyOf(byName.values());
  }

  private boolean exists(Connection connection, Dialect dialect) throws SQLException {
    String schema = dialect.schemaOf(connection, name);
    return schema != null && !columns(connection, schema, dialect.folded(name.table())).isEmpty();
  }

  /**
   * Of several processes that start at the same moment one makes the table, and the others meet it.
   */
  private void createOrMeet(Connection connection, Dialect dialect) throws SQLException {
    try {
      create(connection, dialect);
    } catch (SQLException e) {
      connection.rollback();
      if (!exists(connection, dialect)) {
        throw e;
      }
    }
  }

  private void create(Connection connection, Dialect dialect) throws SQLException {
    String script =
        script(dialect).replaceAll("\\b" + kind.defaultName() + "\\b", dialect.quoted(name));
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements(script)) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> statements(String script) {
    String text = script.replaceAll("(?m)^--.*$", "");
    List<String> statements = new ArrayList<>();
    for (String sql : text.split(";", -1)) {
      if (!sql.isBlank()) {
        statements.add(sql.strip());
      }
    }
    return statements;
  }

  private String script(Dialect dialect) {
    String resource = dialect.folder() + "/" + kind.script();
    try (InputStream in = JdbcSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + ": was not found in the jar of dedup-jdbc");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the work in one transaction, where the database has transactions for its schema. */
  private <T> T run(String verb, SqlWork<T> work) {
    return ShortTransaction.run(dataSource, "table " + name, verb, work);
  }

  private static String lower(@Nullable String text) {
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }

  /**
   * A column as it is.
   *
   * @param type in lower case
   * @param length the characters or bytes it holds, 0 if that is not limited
   * @param required whether an insert has to fill it
   */
  private record Column(String type, long length, boolean required) {
    @Override
    public String toString() {
      return length == 0 ? type : type + "(" + length + ")";
    }
  }
}
