// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreTime;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the databases we speak: how a batch of rows gets into a statement, how a row
 * is inserted unless it is there, how the server's clock is read, and how one avoids to wait for a
 * rival.
 *
 * <p>Every statement takes the store's time as its first parameter; null lets the server read its
 * clock.
 */
sealed interface Dialect permits PostgresDialect, MariaDbDialect, H2Dialect {

  /** Returns the dialect of the database behind {@code connection}. */
  static Dialect of(Connection connection) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    String product = meta.getDatabaseProductName();
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "postgresql" -> new PostgresDialect();
      case "mariadb" -> new MariaDbDialect(0);
      case "mysql" -> new MariaDbDialect(1);
      case "h2" -> H2Dialect.of(meta);
      default ->
          throw new StoreMisconfigured(
              "database: was " + product + ", must be PostgreSQL, MariaDB, MySQL or H2", null);
    };
  }

  /** Returns the folder of the schema scripts, which is also the dialect's name. */
  String folder();

  /** Returns an identifier as it is stored when it is written without quotes. */
  String folded(String identifier);

  /** Returns a checked name, folded and quoted. */
  String quoted(TableName name);

  /**
   * Returns the time to bind: the one moved by hand, else null where the server reads its own
   * clock.
   */
  default @Nullable Long time(StoreTime time) {
    Instant byHand = time.now();
    return byHand == null ? null : (Long) Micros.of(byHand);
  }

  /** Returns the expression of the store's time, with one parameter. */
  String now();

  /** Returns the most rows or keys that go into one statement. */
  int rowsMax();

  /** Returns how {@code columns} of many rows, known as {@code a}, get into a statement. */
  Rows rows(List<Rows.Column> columns);

  /** Limits how long a statement may take. */
  default void limit(PreparedStatement statement, int seconds) throws SQLException {
    statement.setQueryTimeout(seconds);
  }

  /** Makes the transaction that is about to begin READ COMMITTED, and no later one. */
  default void readCommitted(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
  }

  /** Returns how many keys get into {@link #read}. */
  Rows keys();

  /**
   * Returns the statement that inserts, in one step, each of many rows whose key is not there.
   *
   * @param select the values, from {@code c.now_us} and the columns of {@code a}
   * @param rows the {@code a}
   */
  String insertAbsent(String table, String columns, String select, String rows);

  /** Returns what makes {@link #insertAbsent} return what it inserted; empty where nothing does. */
  default String returning(String columns) {
    return "";
  }

  /**
   * Returns the statement that inserts one row unless its key is there. Its first parameter is the
   * key.
   */
  String insertOne(String table, List<String> columns);

  /**
   * Returns the statement that writes many records at once over the rows they were made from, or
   * null where a JDBC batch of updates does it.
   *
   * @param rows the {@link Change#COLUMNS}, known as {@code a}, as one text for any number of them
   */
  default @Nullable String updateMany(String table, List<String> columns, String rows) {
    return null;
  }

  /** Returns the statement that reads the rows of many keys, and locks them in their order. */
  String read(String table, String columns, String keys, Lock lock);

  /**
   * Keeps the keys that no open transaction but this claims; of the others nothing is known yet.
   *
   * @return the keys that may be claimed without waiting, as far as that can be known
   */
  Set<StoredKey> enter(Connection connection, TableName table, List<StoredKey> keys)
      throws SQLException;

  /**
   * Returns what makes a reading see what others have committed since the transaction's snapshot;
   * empty where the database says so itself, or a statement has no snapshot of its own.
   */
  default String currentRead() {
    return "";
  }

  /** Returns whether a transaction goes on after a statement of it has failed. */
  default boolean survivesErrors() {
    return true;
  }

  /**
   * Lets the statements of {@code work} fail rather than wait for a row, where they would wait
   * otherwise.
   */
  void withoutWaiting(Connection connection, SqlStep work) throws SQLException;

  /** Returns the schema in which the table is found without one, or null if it is nowhere. */
  @Nullable String schemaOf(Connection connection, TableName name) throws SQLException;

  /** Returns the columns that the table must have, with their types. */
  Map<String, ColumnType> columnTypes();

  /**
   * Checks what else must be true of the table.
   *
   * @throws StoreMisconfigured if it is not
   */
  default void checkTable(Connection connection, String schema, TableName name)
      throws SQLException {}

  /**
   * Checks what must be true of the database, whichever of our tables is in it.
   *
   * @throws StoreMisconfigured if it is not
   */
  default void checkDatabase(Connection connection) throws SQLException {}

  /**
   * Checks what must be true of the database for claims within the application's transactions.
   *
   * @throws StoreMisconfigured if it is not
   */
  default void checkForInbox(Connection connection) throws SQLException {}

  /** What a reading does about rows that somebody else may change or has locked. */
  enum Lock {
    /** It reads what is committed, and lets others change it. */
    NONE(""),
    /** It locks rows, and waits for those that are locked. */
    WAIT(" FOR UPDATE"),
    /** It locks rows, and leaves out those that are locked. */
    SKIP(" FOR UPDATE SKIP LOCKED");

    private final String sql;

    Lock(String sql) {
      this.sql = sql;
    }

    String sql() {
      return sql;
    }
  }
}
