// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Vacuums all tables over and over until it is closed. */
final class Vacuum implements AutoCloseable {

  private static final long PAUSE_MS = 100;

  private final String url;
  private final Thread thread;
  private volatile boolean closed;

  Vacuum(String url) {
    this.url = url;
    this.thread = new Thread(this::run, "vacuum");
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        all();
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void all() {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        statement.execute("vacuum " + table);
      }
    } catch (SQLException e) {
      // A table was dropped meanwhile. Whatever else it may be shows as a size that is too large.
    }
  }

  private static List<String> tables(Statement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "select quote_ident(relname) from pg_class where relkind = 'r'"
                + " and relnamespace = 'public'::regnamespace")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /** Vacuums once more, and ends. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all();
  }
}
