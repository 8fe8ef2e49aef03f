// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreMisconfigured;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Which database this is, and which of its timelines: what changes when another server, which may
 * lack what was committed last, has taken its place.
 *
 * <p>PostgreSQL: the system identifier, the timeline (each promotion and each recovery to a point
 * in time begins a new one), the database and the table. MariaDB and MySQL: the server's own id,
 * its host, port and data folder, the database, and when the table was made. H2 has no identity
 * that outlives a process, so a database in memory is another one for each process.
 *
 * <p>Not seen: files put back below a server that keeps its name, as a snapshot of its disk.
 */
final class DatabaseIdentity {

  private static final int DIGEST_BYTES = 8;

  /**
   * The timeline that is written now: the one of the last checkpoint may be of before a promotion.
   */
  private static final String POSTGRES =
      "SELECT (SELECT system_identifier FROM pg_control_system()),"
          + " substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),"
          + " (SELECT oid FROM pg_database WHERE datname = current_database()),"
          + " CAST(CAST(CAST(? AS text) AS regclass) AS oid)";

  private static final String MARIADB =
      "SELECT @@hostname, @@port, @@datadir, @@server_id, DATABASE(),"
          + " (SELECT CREATE_TIME FROM INFORMATION_SCHEMA.TABLES"
          + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?)";

  /** MySQL has the one, MariaDB the other. */
  private static final String MARIADB_SERVER =
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'server_uid')";

  private static final String H2 = "SELECT COALESCE(DATABASE_PATH(), ?), DATABASE()";

  private static final String THIS_PROCESS = UUID.randomUUID().toString();

  private DatabaseIdentity() {}

  /** Returns the identity as a short text of hexadecimal digits. */
  static String read(Connection connection, ClaimTable table, TableName name) throws SQLException {
    String product = table.dialect().folder();
    try {
      List<String> parts = new ArrayList<>(List.of(product));
      switch (product) {
        case "postgresql" -> parts.addAll(all(connection, table, POSTGRES, table.quotedName()));
        case "h2" -> parts.addAll(all(connection, table, H2, THIS_PROCESS));
        default -> {
          parts.addAll(all(connection, table, MARIADB_SERVER));
          String schema = table.dialect().schemaOf(connection, name);
          parts.addAll(all(connection, table, MARIADB, String.valueOf(schema), name.table()));
        }
      }
      return digest(parts);
    } catch (SQLException e) {
      SqlTrouble trouble = SqlTrouble.of(e);
      boolean ours = trouble == SqlTrouble.MISCONFIGURED || trouble == SqlTrouble.OTHER;
      if (!ours) {
        throw e;
      }
      throw new StoreMisconfigured(
          "identity of the database: could not be read (SQLState "
              + e.getSQLState()
              + ", code "
              + e.getErrorCode()
              + "), must be, so that a store in front of it is not believed after a failover;"
              + " permit "
              + (product.equals("postgresql")
                  ? "pg_control_system, pg_walfile_name and pg_current_wal_lsn on a primary"
                  : "the server's variables")
              + ", or give a name of your own, and change it after each failover: "
              + e.getMessage(),
          e);
    }
  }

  private static List<String> all(
      Connection connection, ClaimTable table, String sql, Object... parameters)
      throws SQLException {
    List<String> values = new ArrayList<>();
    try (PreparedStatement statement = table.prepare(connection, sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          for (int i = 1; i <= columns; i++) {
            values.add(String.valueOf(rows.getString(i)));
          }
        }
      }
    }
    return values;
  }

  private static String digest(List<String> parts) {
    try {
      byte[] text = String.join("\n", parts).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
