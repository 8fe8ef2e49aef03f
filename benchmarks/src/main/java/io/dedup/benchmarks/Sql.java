// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Connections to PostgreSQL, as an application has them. */
final class Sql {

  private static final int CONNECTIONS = 4;

  private Sql() {}

  /** A pool with connections that are open already. */
  static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(CONNECTIONS);
    try (Connection first = pool.getConnection()) {
      first.isValid(1);
    } catch (SQLException e) {
      pool.close();
      throw new IllegalStateException("PostgreSQL cannot be reached", e);
    }
    return pool;
  }

  static void execute(DataSource database, String statement) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }
}
