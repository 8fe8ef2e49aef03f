// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreMisconfigured;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL. Its clock is {@code clock_timestamp()}: {@code now()} is the transaction's start.
 * Batches are arrays.
 *
 * <p>A key is always looked up by a subquery that its LIMIT keeps one, so that the plan is one
 * index look-up per key, in the order of the keys. A join would be free to become a hash join over
 * the whole table, and a plan made while the table was small is kept until the next ANALYZE.
 */
final class PostgresDialect implements Dialect {

  private static final Map<Rows.Kind, String> TYPES =
      Map.of(Rows.Kind.BYTES, "bytea", Rows.Kind.TEXT, "text", Rows.Kind.LONG, "bigint");

  private static final String ENTER =
      "SELECT h FROM unnest(?::bigint[]) AS a(h) WHERE pg_try_advisory_xact_lock(h)";

  private static final String SCHEMA_OF =
      "SELECT n.nspname FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
          + " WHERE t.oid = to_regclass(?)";

  private static final String ENCODING = "SELECT current_setting('server_encoding')";

  private static final String ARBITER =
      "SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
          + " AND a.attnum = i.indkey[0] WHERE i.indrelid = to_regclass(?) AND i.indisunique"
          + " AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indnkeyatts = 1"
          + " AND a.attname = 'dedup_key'";

  @Override
  public String folder() {
    return "postgresql";
  }

  @Override
  public String folded(String identifier) {
    return identifier.toLowerCase(Locale.ROOT);
  }

  @Override
  public String quoted(TableName name) {
    return name.map(part -> '"' + folded(part) + '"');
  }

  @Override
  public String now() {
    return "coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";
  }

  @Override
  public int rowsMax() {
    return Integer.MAX_VALUE;
  }

  @Override
  public Rows rows(List<Rows.Column> columns) {
    return new ArrayRows(columns, TYPES, "[]");
  }

  @Override
  public Rows keys() {
    return rows(List.of(new Rows.Column("k", Rows.Kind.BYTES)));
  }

  /**
   * A key whose row can be seen is not even tried: ON CONFLICT would wait for whoever changes it.
   * The subquery cannot become a join, for the reason above.
   */
  @Override
  public String insertAbsent(String table, String columns, String select, String rows) {
    return "WITH c AS MATERIALIZED (SELECT "
        + now()
        + " AS now_us) INSERT INTO "
        + table
        + " ("
        + columns
        + ") SELECT "
        + select
        + " FROM c CROSS JOIN "
        + rows
        + " WHERE c.now_us <= a.not_after AND (SELECT true FROM "
        + table
        + " f WHERE f.dedup_key = a.k) IS NULL ORDER BY a.k ON CONFLICT (dedup_key) DO NOTHING";
  }

  @Override
  public String returning(String columns) {
    return " RETURNING " + columns;
  }

  @Override
  public String insertOne(String table, List<String> columns) {
    return "INSERT INTO "
        + table
        + " (dedup_key, "
        + String.join(", ", columns)
        + ") VALUES (?"
        + ", ?".repeat(columns.size())
        + ") ON CONFLICT (dedup_key) DO NOTHING";
  }

  /**
   * The rows are there, and locked by us, so each insert ends in its conflict. An update would have
   * to join, see above; this way each row is found in the index.
   */
  @Override
  public String updateMany(String table, List<String> columns, String rows) {
    String names = String.join(", ", columns);
    String values = columns.stream().map(c -> "a." + c).collect(Collectors.joining(", "));
    String sets =
        columns.stream().map(c -> c + " = excluded." + c).collect(Collectors.joining(", "));
    return "INSERT INTO "
        + table
        + " (dedup_key, "
        + names
        + ") SELECT a.k, "
        + values
        + " FROM "
        + rows
        + " WHERE (SELECT true FROM "
        + table
        + " f WHERE f.dedup_key = a.k AND f.claim_id = a.claim_id_before AND f.token = a.token_before"
        + " AND f.state = a.state_before) ON CONFLICT (dedup_key) DO UPDATE SET "
        + sets;
  }

  /** The clock is read for each row once it is locked; the last row's is read when all are. */
  @Override
  public String read(String table, String columns, String keys, Lock lock) {
    return "SELECT "
        + now()
        + ", f.* FROM "
        + keys
        + " CROSS JOIN LATERAL (SELECT dedup_key, "
        + columns
        + " FROM "
        + table
        + " WHERE dedup_key = a.k LIMIT 1"
        + lock.sql()
        + ") f";
  }

  /**
   * An insert waits for an uncommitted one of the same key for as long as that session lives, and a
   * time-out would abort our transaction. So whoever inserts in a transaction of the application
   * first takes an advisory lock on the key's hash, which can be tried. It ends with the
   * transaction, after the row has become visible.
   */
  @Override
  public Set<StoredKey> enter(Connection connection, TableName table, List<StoredKey> keys)
      throws SQLException {
    Map<Long, StoredKey> byHash = new HashMap<>();
    Set<StoredKey> entered = new HashSet<>();
    for (StoredKey key : keys) {
      byHash.put(hash(folded(table.table()), key), key);
    }
    Long[] hashes = byHash.keySet().toArray(Long[]::new);
    try (PreparedStatement statement = connection.prepareStatement(ENTER)) {
      statement.setArray(1, connection.createArrayOf("bigint", hashes));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          entered.add(byHash.get(rows.getLong(1)));
        }
      }
    }
    return entered;
  }

  @Override
  public boolean survivesErrors() {
    return false;
  }

  /** Nothing waits here: whoever inserted and has not committed is found by {@link #enter}. */
  @Override
  public void withoutWaiting(Connection connection, SqlStep work) throws SQLException {
    work.run(connection);
  }

  @Override
  public @Nullable String schemaOf(Connection connection, TableName name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SCHEMA_OF)) {
      statement.setString(1, quoted(name));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  /** In another encoding, an owner or an error may have no form, and is an error at the insert. */
  @Override
  public void checkDatabase(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ENCODING);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String encoding = row.getString(1);
      if (!"UTF8".equals(encoding)) {
        throw new StoreMisconfigured(
            "database: its encoding was "
                + encoding
                + ", must be UTF8: owners, errors and content types are Unicode text; make one with"
                + " CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
            null);
      }
    }
  }

  /** ON CONFLICT cannot use a deferrable constraint, which is checked too late to decide. */
  @Override
  public void checkTable(Connection connection, String schema, TableName name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ARBITER)) {
      statement.setString(1, quoted(name));
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new StoreMisconfigured(
              "table "
                  + name
                  + ": its unique constraint on dedup_key was deferrable or invalid, must be neither",
              null);
        }
      }
    }
  }

  @Override
  public Map<String, ColumnType> columnTypes() {
    Set<String> bytes = Set.of("bytea");
    return ColumnTypes.of(bytes, bytes, Set.of("character varying"));
  }

  private static long hash(String table, StoredKey key) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(table.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(sha.digest(key.bytes())).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
