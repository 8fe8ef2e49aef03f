// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statements on a table of results. It begins and ends no transaction. */
final class ResultTable {

  /** How rows are written; a row of another format is not read. */
  private static final int FORMAT = 1;

  private final Dialect dialect;
  private final int queryTimeoutSeconds;
  private final String insert;
  private final String find;
  private final String extend;
  private final String expired;
  private final String delete;

  ResultTable(Dialect dialect, TableName name, int queryTimeoutSeconds) {
    this.dialect = dialect;
    this.queryTimeoutSeconds = queryTimeoutSeconds;
    String table = dialect.quoted(name);
    String clock = " FROM (SELECT " + dialect.now() + " AS now_us) c";
    this.insert =
        "INSERT INTO "
            + table
            + " (result_id, content_type, content, format, created, expires)"
            + " SELECT ?, ?, ?, ?, c.now_us, c.now_us + ?"
            + clock;
    this.find =
        "SELECT expires > "
            + dialect.now()
            + ", format, content_type, content FROM "
            + table
            + " WHERE result_id = ?"
            + dialect.currentRead();
    this.extend =
        "UPDATE "
            + table
            + " SET expires = GREATEST(expires, "
            + dialect.now()
            + " + ?) WHERE result_id = ? AND expires > "
            + dialect.now();
    this.expired =
        "SELECT result_id FROM "
            + table
            + " WHERE expires <= ? AND format = ? ORDER BY expires LIMIT ?"
            + Dialect.Lock.SKIP.sql();
    this.delete = "DELETE FROM " + table + " WHERE result_id = ?";
  }

  Dialect dialect() {
    return dialect;
  }

  void insert(
      Connection connection, UUID id, StoredResult result, long ttlMicros, @Nullable Long now)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, insert)) {
      statement.setBytes(1, bytes(id));
      statement.setString(2, result.contentType());
      statement.setBytes(3, result.bytes());
      statement.setInt(4, FORMAT);
      statement.setLong(5, ttlMicros);
      statement.setObject(6, now, Types.BIGINT);
      statement.executeUpdate();
    }
  }

  Optional<StoredResult> find(Connection connection, UUID id, @Nullable Long now)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, find)) {
      statement.setObject(1, now, Types.BIGINT);
      statement.setBytes(2, bytes(id));
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || !row.getBoolean(1)) {
          return Optional.empty();
        }
        if (row.getInt(2) != FORMAT) {
          throw new StoreCorrupt("result: was of format " + row.getInt(2) + ", must be " + FORMAT);
        }
        return Optional.of(new StoredResult(row.getString(3), row.getBytes(4)));
      }
    }
  }

  boolean extend(Connection connection, UUID id, long ttlMicros, @Nullable Long now)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, extend)) {
      statement.setObject(1, now, Types.BIGINT);
      statement.setLong(2, ttlMicros);
      statement.setBytes(3, bytes(id));
      statement.setObject(4, now, Types.BIGINT);
      return statement.executeUpdate() == 1;
    }
  }

  /** Removes rows that have expired, leaving out those that somebody else works on. */
  int purge(Connection connection, int limit, @Nullable Long now) throws SQLException {
    List<byte[]> ids = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, expired)) {
      // A clock in the condition would keep PostgreSQL from using the index.
      statement.setLong(1, now(connection, now));
      statement.setInt(2, FORMAT);
      statement.setInt(3, limit);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getBytes(1));
        }
      }
    }
    if (ids.isEmpty()) {
      return 0;
    }
    try (PreparedStatement statement = prepare(connection, delete)) {
      for (byte[] id : ids) {
        statement.setBytes(1, id);
        statement.addBatch();
      }
      SentBatch.execute(statement);
    }
    return ids.size();
  }

  private long now(Connection connection, @Nullable Long now) throws SQLException {
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

  private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    dialect.limit(statement, queryTimeoutSeconds);
    return statement;
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
