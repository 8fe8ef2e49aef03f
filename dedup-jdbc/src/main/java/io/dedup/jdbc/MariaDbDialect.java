// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreMisconfigured;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB from 10.6, and MySQL from 8.0 as MariaDB speaks it; verified on MariaDB.
 *
 * <p>Its clock is {@code UTC_TIMESTAMP(6)}, which knows no session time zone. That is the start of
 * the statement, not of the transaction. A statement that waited for a row judges by a time that is
 * a little past, which errs to the safe side: a lease may be found live that has just ended, never
 * the other way round.
 *
 * <p>Never INSERT IGNORE, which cuts values and swallows errors. Reads lock: a snapshot hides the
 * rival.
 */
final class MariaDbDialect implements Dialect {

  private static final int ROWS_MAX = 256;

  private static final Map<Rows.Kind, String> TYPES =
      Map.of(
          Rows.Kind.BYTES, "BINARY",
          Rows.Kind.TEXT, "CHAR CHARACTER SET utf8mb4",
          Rows.Kind.LONG, "SIGNED");

  private static final String ENGINE =
      "SELECT engine FROM information_schema.tables WHERE table_schema = ? AND table_name = ?";

  private static final String CHARSETS =
      "SELECT character_set_name FROM information_schema.columns WHERE table_schema = ?"
          + " AND table_name = ? AND column_name IN ('owner', 'error') AND character_set_name <> 'utf8mb4'";

  private final int shortestWaitSeconds;

  /**
   * Makes the dialect.
   *
   * @param shortestWaitSeconds the shortest innodb_lock_wait_timeout: 0 in MariaDB, 1 in MySQL
   */
  MariaDbDialect(int shortestWaitSeconds) {
    this.shortestWaitSeconds = shortestWaitSeconds;
  }

  @Override
  public String folder() {
    return "mariadb";
  }

  /** Names keep their case; whether it matters is the server's setting. */
  @Override
  public String folded(String identifier) {
    return identifier;
  }

  @Override
  public String quoted(TableName name) {
    return name.map(part -> '`' + part + '`');
  }

  @Override
  public String now() {
    return "COALESCE(CAST(? AS SIGNED),"
        + " TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))";
  }

  @Override
  public int rowsMax() {
    return ROWS_MAX;
  }

  @Override
  public Rows rows(List<Rows.Column> columns) {
    return new UnionRows(columns, TYPES);
  }

  @Override
  public Rows keys() {
    return new KeyList();
  }

  /** Of a row that is there nothing changes, but it is locked until we have read and judged it. */
  @Override
  public String insertAbsent(String table, String columns, String select, String rows) {
    return "INSERT INTO "
        + table
        + " ("
        + columns
        + ") SELECT "
        + select
        + " FROM (SELECT "
        + now()
        + " AS now_us) c CROSS JOIN "
        + rows
        + " WHERE c.now_us <= a.not_after ON DUPLICATE KEY UPDATE format = format";
  }

  @Override
  public String insertOne(String table, List<String> columns) {
    return "INSERT INTO "
        + table
        + " (dedup_key, "
        + String.join(", ", columns)
        + ") VALUES (?"
        + ", ?".repeat(columns.size())
        + ") ON DUPLICATE KEY UPDATE format = format";
  }

  /** The index is forced: a scan of a small table would lock all of it. */
  @Override
  public String read(String table, String columns, String keys, Lock lock) {
    return "SELECT "
        + now()
        + ", dedup_key, "
        + columns
        + " FROM "
        + table
        + " FORCE INDEX (PRIMARY) WHERE dedup_key IN "
        + keys
        + " ORDER BY dedup_key"
        + lock.sql();
  }

  @Override
  public String currentRead() {
    return " LOCK IN SHARE MODE";
  }

  @Override
  public Set<StoredKey> enter(Connection connection, TableName table, List<StoredKey> keys) {
    return new HashSet<>(keys);
  }

  /**
   * The lock time-out is the session's, so it is put back at once. (With SKIP LOCKED a time-out of
   * 0 ends the statement of MariaDB 11.4 in error 1180, so it is for inserts alone.) When it
   * strikes, the statement is undone and the transaction lives, unless innodb_rollback_on_timeout
   * is set, which we refuse.
   */
  @Override
  public void withoutWaiting(Connection connection, SqlStep work) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET @dedup_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = "
              + shortestWaitSeconds);
      try {
        work.run(connection);
      } finally {
        statement.execute("SET SESSION innodb_lock_wait_timeout = @dedup_wait");
      }
    }
  }

  @Override
  public @Nullable String schemaOf(Connection connection, TableName name) throws SQLException {
    return name.schema() != null ? name.schema() : connection.getCatalog();
  }

  @Override
  public Map<String, ColumnType> columnTypes() {
    return ColumnTypes.of(Set.of("varbinary"), Set.of("mediumblob", "longblob"), Set.of("varchar"));
  }

  @Override
  public void checkTable(Connection connection, String schema, TableName name) throws SQLException {
    String engine = one(connection, ENGINE, schema, name.table());
    if (!"InnoDB".equalsIgnoreCase(engine)) {
      throw new StoreMisconfigured(
          "table "
              + name
              + ": its engine was "
              + engine
              + ", must be InnoDB, which has transactions",
          null);
    }
    String charset = one(connection, CHARSETS, schema, name.table());
    if (charset != null) {
      throw new StoreMisconfigured(
          "table " + name + ": has a column in the character set " + charset + ", must be utf8mb4",
          null);
    }
  }

  @Override
  public void checkForInbox(Connection connection) throws SQLException {
    if ("1".equals(one(connection, "SELECT @@innodb_rollback_on_timeout"))) {
      throw new StoreMisconfigured(
          "innodb_rollback_on_timeout: was ON, must be OFF: a claim that meets a rival would undo the"
              + " application's transaction",
          null);
    }
  }

  private static @Nullable String one(Connection connection, String query, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }
}
