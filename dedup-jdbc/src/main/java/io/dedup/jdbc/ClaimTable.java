// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements on one table. Each method is one statement per {@link Dialect#rowsMax()} keys, or
 * one JDBC batch. It begins and ends no transaction.
 */
final class ClaimTable {

  private static final String COLUMNS = String.join(", ", RecordRow.NAMES);

  private final Dialect dialect;
  private final int queryTimeoutSeconds;
  private final String table;
  private final Rows newClaims;
  private final Rows keyRows;
  private final Rows changeRows;
  private final String insertOne;
  private final String update;
  private final @Nullable String updateMany;

  ClaimTable(Dialect dialect, TableName name, int queryTimeoutSeconds) {
    this.dialect = dialect;
    this.queryTimeoutSeconds = queryTimeoutSeconds;
    this.table = dialect.quoted(name);
    this.newClaims = dialect.rows(NewClaim.COLUMNS);
    this.keyRows = dialect.keys();
    this.changeRows = dialect.rows(Change.COLUMNS);
    this.updateMany = dialect.updateMany(table, RecordRow.NAMES, changeRows.sql(1));
    this.insertOne = dialect.insertOne(table, RecordRow.NAMES);
    this.update =
        RecordRow.NAMES.stream()
            .map(column -> column + " = ?")
            .collect(
                Collectors.joining(
                    ", ",
                    "UPDATE " + table + " SET ",
                    " WHERE dedup_key = ? AND claim_id = ? AND token = ? AND state = ?"));
  }

  Dialect dialect() {
    return dialect;
  }

  String quotedName() {
    return table;
  }

  /**
   * Inserts those of the claims whose key is not there and whose time is not over.
   *
   * @return the records inserted, where the database says so in the same breath; else none
   */
  Map<StoredKey, ClaimRecord> insertAbsent(
      Connection connection, List<NewClaim> claims, @Nullable Long now) throws SQLException {
    Map<StoredKey, ClaimRecord> inserted = new HashMap<>();
    for (List<NewClaim> part : Parts.of(claims, dialect.rowsMax())) {
      String rows = newClaims.sql(part.size());
      String sql =
          dialect.insertAbsent(table, NewClaim.INSERTED, NewClaim.VALUES, rows)
              + dialect.returning("dedup_key, " + COLUMNS);
      try (PreparedStatement statement = prepare(connection, sql)) {
        statement.setObject(1, now, Types.BIGINT);
        newClaims.bind(statement, 2, part.stream().map(NewClaim::row).toList());
        if (statement.execute()) {
          try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
              inserted.put(new StoredKey(row.getBytes(1)), RecordRow.read(row, 2));
            }
          }
        }
      }
    }
    return inserted;
  }

  /** Reads the rows of these keys, which are distinct and in order. */
  Found read(Connection connection, List<StoredKey> keys, @Nullable Long now, Dialect.Lock lock)
      throws SQLException {
    Map<StoredKey, ClaimRecord> records = new HashMap<>();
    Long at = null;
    for (List<StoredKey> part : Parts.of(keys, dialect.rowsMax())) {
      String sql = dialect.read(table, COLUMNS, keyRows.sql(part.size()), lock);
      try (PreparedStatement statement = prepare(connection, sql)) {
        statement.setObject(1, now, Types.BIGINT);
        keyRows.bind(statement, 2, part.stream().map(key -> new Object[] {key.bytes()}).toList());
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            at = rows.getLong(1);
            records.put(new StoredKey(rows.getBytes(2)), RecordRow.read(rows, 3));
          }
        }
      }
    }
    return new Found(Micros.instant(at == null ? now(connection, now) : at), records);
  }

  /** Reads the row of a key without locking it. */
  Found find(Connection connection, StoredKey key, @Nullable Long now) throws SQLException {
    String sql =
        "SELECT " + dialect.now() + ", " + COLUMNS + " FROM " + table + " WHERE dedup_key = ?";
    try (PreparedStatement statement = prepare(connection, sql)) {
      statement.setObject(1, now, Types.BIGINT);
      statement.setBytes(2, key.bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Found(Micros.instant(row.getLong(1)), Map.of(key, RecordRow.read(row, 2)))
            : new Found(Micros.instant(now(connection, now)), Map.of());
      }
    }
  }

  /**
   * Returns whether the key has a committed row, or one of this transaction, locked by somebody or
   * not.
   */
  boolean exists(Connection connection, StoredKey key) throws SQLException {
    String sql = "SELECT 1 FROM " + table + " WHERE dedup_key = ?";
    try (PreparedStatement statement = prepare(connection, sql)) {
      statement.setBytes(1, key.bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Returns the store's time, in microseconds. */
  long now(Connection connection, @Nullable Long now) throws SQLException {
    if (now != null) {
      return now;
    }
    try (PreparedStatement statement = prepare(connection, "SELECT " + dialect.now())) {
      statement.setObject(1, null, Types.BIGINT);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Inserts records whose keys are not there; a key that came in between stays as it is. */
  void insert(Connection connection, Collection<Change> changes) throws SQLException {
    batch(
        connection,
        insertOne,
        changes,
        (statement, change) -> {
          statement.setBytes(1, change.key().bytes());
          RecordRow.bind(statement, 2, change.next());
        });
  }

  /**
   * Writes records over the ones they were made from. Their rows are locked, so each of them is
   * still there; that claim id, token and state are named all the same makes a mistake of ours
   * visible instead of harmful.
   */
  void update(Connection connection, List<Change> changes) throws SQLException {
    if (updateMany != null && changes.size() > 1) {
      try (PreparedStatement statement = prepare(connection, updateMany)) {
        changeRows.bind(statement, 1, changes.stream().map(Change::row).toList());
        checkChanged(statement.executeUpdate() == changes.size());
      }
      return;
    }
    int[] counts =
        batch(
            connection,
            update,
            changes,
            (statement, change) -> {
              ClaimRecord before = change.replaced();
              int i = RecordRow.bind(statement, 1, change.next());
              statement.setBytes(i++, change.key().bytes());
              statement.setBytes(i++, before.claimId().toBytes());
              statement.setLong(i++, before.token());
              statement.setInt(i, before.state().code());
            });
    for (int count : counts) {
      checkChanged(count != 0);
    }
  }

  private void checkChanged(boolean changed) {
    if (!changed) {
      throw new StoreUnavailable(table + ": a row changed while it was locked", null);
    }
  }

  /** Returns a statement with our time-out. */
  PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    dialect.limit(statement, queryTimeoutSeconds);
    return statement;
  }

  private int[] batch(Connection connection, String sql, Collection<Change> changes, Binder binder)
      throws SQLException {
    if (changes.isEmpty()) {
      return new int[0];
    }
    try (PreparedStatement statement = prepare(connection, sql)) {
      for (Change change : changes) {
        binder.bind(statement, change);
        statement.addBatch();
      }
      int[] counts = SentBatch.execute(statement);
      for (int count : counts) {
        if (count == Statement.EXECUTE_FAILED) {
          throw new StoreUnavailable(table + ": a statement of a batch failed", null);
        }
      }
      return counts;
    }
  }

  @FunctionalInterface
  private interface Binder {
    void bind(PreparedStatement statement, Change change) throws SQLException;
  }
}
