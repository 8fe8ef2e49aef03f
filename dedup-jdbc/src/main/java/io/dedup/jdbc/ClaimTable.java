// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
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

  private static final long MICROS_PER_HOUR = 3_600_000_000L;

  private static final String COLUMNS = String.join(", ", RecordRow.COLUMNS);

  private final Dialect dialect;
  private final int queryTimeoutSeconds;
  private final String table;
  private final Rows newClaims;
  private final Rows keyRows;
  private final String insertOne;
  private final String update;

  ClaimTable(Dialect dialect, TableName name, int queryTimeoutSeconds) {
    this.dialect = dialect;
    this.queryTimeoutSeconds = queryTimeoutSeconds;
    this.table = dialect.quoted(name);
    this.newClaims = dialect.rows(NewClaim.COLUMNS);
    this.keyRows = dialect.keys();
    this.insertOne = dialect.insertOne(table, RecordRow.COLUMNS);
    this.update =
        RecordRow.COLUMNS.stream()
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

  /** Locks and reads the rows of these keys, which are distinct and in order. */
  Found lock(Connection connection, List<StoredKey> keys, @Nullable Long now, Dialect.Busy busy)
      throws SQLException {
    Map<StoredKey, ClaimRecord> records = new HashMap<>();
    Long at = null;
    for (List<StoredKey> part : Parts.of(keys, dialect.rowsMax())) {
      String sql = dialect.lock(table, COLUMNS, keyRows.sql(part.size()), busy);
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
  void update(Connection connection, Collection<Change> changes) throws SQLException {
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
      if (count == 0) {
        throw new StoreUnavailable(table + ": a row changed while it was locked", null);
      }
    }
  }

  /**
   * Locks the row of a key and removes it, whatever is in it; returns whether there was one that
   * had not expired.
   */
  boolean remove(Connection connection, StoredKey key, @Nullable Long now) throws SQLException {
    String lock =
        "SELECT " + dialect.now() + ", expires FROM " + table + " WHERE dedup_key = ? FOR UPDATE";
    boolean live;
    try (PreparedStatement statement = prepare(connection, lock)) {
      statement.setObject(1, now, Types.BIGINT);
      statement.setBytes(2, key.bytes());
      try (ResultSet row = statement.executeQuery()) {
        live = row.next() && row.getLong(2) > row.getLong(1);
      }
    }
    delete(connection, List.of(key));
    return live;
  }

  /** Removes rows. */
  void delete(Connection connection, List<StoredKey> keys) throws SQLException {
    String delete = "DELETE FROM " + table + " WHERE dedup_key = ?";
    try (PreparedStatement statement = prepare(connection, delete)) {
      for (StoredKey key : keys) {
        statement.setBytes(1, key.bytes());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /**
   * Locks and returns keys whose records have expired, leaving out those that somebody else works
   * on.
   */
  List<StoredKey> lockExpired(Connection connection, int limit, long now) throws SQLException {
    String sql =
        "SELECT dedup_key FROM "
            + table
            + " WHERE purge_hour <= ? AND expires <= ? AND format = ?"
            + " AND (state <> ? OR busy_until <= ?) LIMIT ? FOR UPDATE SKIP LOCKED";
    try (PreparedStatement statement = prepare(connection, sql)) {
      statement.setLong(1, now / MICROS_PER_HOUR);
      statement.setLong(2, now);
      statement.setInt(3, RecordRow.FORMAT);
      statement.setInt(4, State.PROCESSING.code());
      statement.setLong(5, now);
      statement.setInt(6, limit);
      return keys(statement);
    }
  }

  /** Returns keys of completed records from {@code from} on, in order. */
  List<StoredKey> completed(Connection connection, KeyRange range, int limit) throws SQLException {
    String sql =
        "SELECT dedup_key FROM "
            + table
            + " WHERE state = ? AND dedup_key >= ?"
            + (range.end() == null ? "" : " AND dedup_key < ?")
            + " ORDER BY dedup_key LIMIT ?";
    try (PreparedStatement statement = prepare(connection, sql)) {
      int i = 1;
      statement.setInt(i++, State.SUCCEEDED.code());
      statement.setBytes(i++, range.begin());
      if (range.end() != null) {
        statement.setBytes(i++, range.end());
      }
      statement.setInt(i, limit);
      return keys(statement);
    }
  }

  /** Counts the records. */
  StoreStats stats(Connection connection, @Nullable Long now) throws SQLException {
    String sql =
        "SELECT state, COUNT(*), SUM(CASE WHEN expires > ? THEN 1 ELSE 0 END) FROM "
            + table
            + " GROUP BY state";
    Map<State, Long> live = new EnumMap<>(State.class);
    long expired = 0;
    try (PreparedStatement statement = prepare(connection, sql)) {
      statement.setLong(1, now(connection, now));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          live.put(State.of(row.getInt(1)), row.getLong(3));
          expired += row.getLong(2) - row.getLong(3);
        }
      }
    }
    return StoreStats.of(live, expired);
  }

  private static List<StoredKey> keys(PreparedStatement statement) throws SQLException {
    List<StoredKey> keys = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(new StoredKey(rows.getBytes(1)));
      }
    }
    return keys;
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
      int[] counts = statement.executeBatch();
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
