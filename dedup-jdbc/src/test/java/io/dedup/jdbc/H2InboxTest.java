// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.testkit.server.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

class H2InboxTest extends InboxPromises {

  @RegisterExtension static final Pools pools = new Pools();

  private static HikariDataSource dataSource;
  private static DataSource otherDataSource;

  @BeforeAll
  static void makeTable() {
    Database database = Pools.h2();
    dataSource = pools.of(database, 8);
    Pools.withTable(dataSource);
    otherDataSource = pools.of(database, 2);
  }

  @Override
  DataSource dataSource() {
    return dataSource;
  }

  /** A row later than the snapshot may count as locked. */
  @Override
  Set<String> answersBehindASnapshot() {
    return Set.of("Completed", "InProgress", "conflict");
  }

  @Override
  DataSource otherDataSource() {
    return otherDataSource;
  }

  /** The pool would hand the closed session out again. */
  @Override
  void killSession(JdbcTemplate within) {
    within.execute((ConnectionCallback<Boolean>) H2InboxTest::closeSession);
    dataSource.getHikariPoolMXBean().softEvictConnections();
  }

  private static Boolean closeSession(Connection connection) throws SQLException {
    connection.unwrap(JdbcConnection.class).close();
    return true;
  }
}
