// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreTime;
import io.dedup.time.ProcessClock;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * H2 from 2.2, for tests and demonstrations: its clock is that of the JVM we run in (its own stands
 * still within a transaction), so two JVMs at one H2 server judge by two clocks.
 *
 * <p>H2 has no insert that leaves a rival's row alone in one step: where two insert the same key at
 * the same moment, one of them gets a duplicate-key error and tries again.
 */
final class H2Dialect implements Dialect {

  private static final int ROWS_MAX = 512;

  private static final Map<Rows.Kind, String> TYPES =
      Map.of(
          Rows.Kind.BYTES, "VARBINARY",
          Rows.Kind.TEXT, "VARCHAR",
          Rows.Kind.LONG, "BIGINT");

  private final boolean lower;
  private final boolean upper;

  private H2Dialect(boolean lower, boolean upper) {
    this.lower = lower;
    this.upper = upper;
  }

  static H2Dialect of(DatabaseMetaData meta) throws SQLException {
    return new H2Dialect(meta.storesLowerCaseIdentifiers(), meta.storesUpperCaseIdentifiers());
  }

  @Override
  public String folder() {
    return "h2";
  }

  @Override
  public String folded(String identifier) {
    if (upper) {
      return identifier.toUpperCase(Locale.ROOT);
    }
    return lower ? identifier.toLowerCase(Locale.ROOT) : identifier;
  }

  @Override
  public String quoted(TableName name) {
    return name.map(part -> '"' + folded(part) + '"');
  }

  @Override
  public Long time(StoreTime time) {
    Long byHand = Dialect.super.time(time);
    return byHand != null ? byHand : (Long) Micros.of(ProcessClock.system().now());
  }

  @Override
  public String now() {
    return "CAST(? AS BIGINT)";
  }

  @Override
  public int rowsMax() {
    return ROWS_MAX;
  }

  @Override
  public Rows rows(List<Rows.Column> columns) {
    return new ArrayRows(columns, TYPES, " ARRAY");
  }

  @Override
  public Rows keys() {
    return new KeyList();
  }

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
        + " WHERE c.now_us <= a.not_after"
        + " AND NOT EXISTS (SELECT 1 FROM "
        + table
        + " f WHERE f.dedup_key = a.k) ORDER BY a.k";
  }

  @Override
  public String insertOne(String table, List<String> columns) {
    return "MERGE INTO "
        + table
        + " t USING (SELECT CAST(? AS VARBINARY(512)) AS k) s"
        + " ON t.dedup_key = s.k WHEN NOT MATCHED THEN INSERT (dedup_key, "
        + String.join(", ", columns)
        + ") VALUES (s.k"
        + ", ?".repeat(columns.size())
        + ")";
  }

  @Override
  public String read(String table, String columns, String keys, Lock lock) {
    return "SELECT "
        + now()
        + ", dedup_key, "
        + columns
        + " FROM "
        + table
        + " WHERE dedup_key IN "
        + keys
        + " ORDER BY dedup_key"
        + lock.sql();
  }

  /** A time-out is the connection's in H2, and would outlive us. Its own lock time-out is short. */
  @Override
  public void limit(PreparedStatement statement, int seconds) {}

  /**
   * The level is the session's in H2; a stricter one does no harm, and a weaker one does not lock
   * less.
   */
  @Override
  public void readCommitted(Connection connection) {}

  @Override
  public Set<StoredKey> enter(Connection connection, TableName table, List<StoredKey> keys) {
    return new HashSet<>(keys);
  }

  @Override
  public void withoutWaiting(Connection connection, SqlStep work) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int before = lockTimeoutMillis(statement);
      statement.execute("SET LOCK_TIMEOUT 1");
      try {
        work.run(connection);
      } finally {
        statement.execute("SET LOCK_TIMEOUT " + before);
      }
    }
  }

  @Override
  public @Nullable String schemaOf(Connection connection, TableName name) throws SQLException {
    return name.schema() != null ? folded(name.schema()) : connection.getSchema();
  }

  @Override
  public Map<String, ColumnType> columnTypes() {
    return ColumnTypes.of(
        Set.of("binary varying"), Set.of("binary large object"), Set.of("character varying"));
  }

  private static int lockTimeoutMillis(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT LOCK_TIMEOUT()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
