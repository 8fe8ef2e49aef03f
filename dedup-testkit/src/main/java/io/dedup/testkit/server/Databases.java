// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Databases made for tests on one server; only for a server that outlives us they are dropped. */
final class Databases {

  private static final Logger log = LoggerFactory.getLogger(Databases.class);

  private final Database main;
  private final String driver;
  private final String createSuffix;
  private final String dropSuffix;
  private final Queue<String> made = new ConcurrentLinkedQueue<>();

  Databases(Database main, String driver, String createSuffix, String dropSuffix) {
    this.main = main;
    this.driver = driver;
    this.createSuffix = createSuffix;
    this.dropSuffix = dropSuffix;
  }

  /** A fresh database, empty and with a random name. */
  Database create() {
    String name = "dedup_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    needsDriver();
    try {
      execute("CREATE DATABASE " + name + createSuffix);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create a database at " + main, e);
    }
    made.add(name);
    return new Database(urlOf(name), main.username(), main.password());
  }

  private void needsDriver() {
    try {
      DriverManager.getDriver(main.jdbcUrl());
    } catch (SQLException e) {
      throw Binaries.missing("createDatabase()", driver, e);
    }
  }

  /** Replaces the name of the database in a URL {@code jdbc:x://host:port/name?options}. */
  private String urlOf(String name) {
    String url = main.jdbcUrl();
    int slash = url.indexOf('/', url.indexOf("://") + 3);
    int options = url.indexOf('?');
    return url.substring(0, slash + 1) + name + (options < 0 ? "" : url.substring(options));
  }

  void drop() {
    for (String name = made.poll(); name != null; name = made.poll()) {
      try {
        execute("DROP DATABASE IF EXISTS " + name + dropSuffix);
      } catch (SQLException e) {
        log.warn("database {} could not be dropped", name, e);
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = main.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
