// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements that judge no claim: removing, purging, counting and going through a scope. */
final class Upkeep {

  private static final long MICROS_PER_HOUR = 3_600_000_000L;

  private final ClaimTable table;

  Upkeep(ClaimTable table) {
    this.table = table;
  }

  /**
   * Locks the row of a key and removes it, whatever is in it; returns whether there was one that
   * had not expired.
   */
  boolean remove(Connection connection, StoredKey key, @Nullable Long now) throws SQLException {
    String lock =
        "SELECT "
            + table.dialect().now()
            + ", expires FROM "
            + table.quotedName()
            + " WHERE dedup_key = ? FOR UPDATE";
    boolean live;
    try (PreparedStatement statement = table.prepare(connection, lock)) {
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
    String delete = "DELETE FROM " + table.quotedName() + " WHERE dedup_key = ?";
    try (PreparedStatement statement = table.prepare(connection, delete)) {
      for (StoredKey key : keys) {
        statement.setBytes(1, key.bytes());
        statement.addBatch();
      }
      SentBatch.execute(statement);
    }
  }

  /**
   * Locks and returns keys whose records have expired, leaving out those that somebody else works
   * on.
   */
  List<StoredKey> lockExpired(Connection connection, int limit, long now) throws SQLException {
    String sql =
        "SELECT dedup_key FROM "
            + table.quotedName()
            + " WHERE purge_hour <= ? AND expires <= ? AND format = ?"
            + " AND (state <> ? OR busy_until <= ?) LIMIT ? FOR UPDATE SKIP LOCKED";
    try (PreparedStatement statement = table.prepare(connection, sql)) {
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
            + table.quotedName()
            + " WHERE state = ? AND dedup_key >= ?"
            + (range.end() == null ? "" : " AND dedup_key < ?")
            + " ORDER BY dedup_key LIMIT ?";
    try (PreparedStatement statement = table.prepare(connection, sql)) {
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
            + table.quotedName()
            + " GROUP BY state";
    Map<State, Long> live = new EnumMap<>(State.class);
    long expired = 0;
    try (PreparedStatement statement = table.prepare(connection, sql)) {
      statement.setLong(1, table.now(connection, now));
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
}
