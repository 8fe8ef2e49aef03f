// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.StoreUnavailable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What tells a database from others, and from itself before a standby was promoted or a backup
 * restored: what Redis knows of the one must not answer for the other. Thread-safe.
 *
 * <p>PostgreSQL names its cluster and its timeline. MySQL names its server; MariaDB, H2 and a
 * PostgreSQL that keeps these to itself are known by their address alone, so that after a restore
 * of those {@code dedup.redis.prefix} has to be changed by hand.
 */
final class DatabaseIdentity implements Supplier<String> {

  private static final Logger log = LoggerFactory.getLogger(DatabaseIdentity.class);
  private static final int BYTES = 6;

  private static final Map<String, String> QUERIES =
      Map.of(
          "postgresql",
          "SELECT system_identifier::text || ' ' || timeline_id || ' ' || current_database()"
              + " FROM pg_control_system(), pg_control_checkpoint()",
          "mysql",
          "SELECT CONCAT(@@server_uuid, ' ', DATABASE())");

  private final DataSource dataSource;
  private final String table;
  private volatile boolean warned;

  DatabaseIdentity(DataSource dataSource, String table) {
    this.dataSource = dataSource;
    this.table = table;
  }

  /**
   * Returns the identity, as it is now: {@value #BYTES} bytes in hexadecimal digits.
   *
   * @throws StoreUnavailable if the database does not answer
   */
  @Override
  public String get() {
    try (Connection connection = dataSource.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
      String query = QUERIES.get(product);
      String known = query == null ? "" : asked(connection, query);
      return digest(product, known.isEmpty() ? address(connection) : known, table);
    } catch (SQLException e) {
      throw new StoreUnavailable("the identity of the database could not be read", e);
    }
  }

  private String asked(Connection connection, String query) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    } catch (SQLException e) {
      if (!warned) {
        warned = true;
        log.warn(
            "the database keeps its identity to itself; after a restore, or the promotion of a"
                + " standby, change dedup.redis.prefix: {}",
            e.getMessage());
      }
      return "";
    }
  }

  /** Without options, which may hold passwords, and differ where the database is the same. */
  private static String address(Connection connection) throws SQLException {
    return connection.getMetaData().getURL().replaceFirst("[?;].*", "");
  }

  private static String digest(String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha.update(bytes);
      }
      return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
