// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresInboxTest extends InboxPromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @RegisterExtension static final Pools pools = new Pools();

  private static DataSource dataSource;
  private static DataSource otherDataSource;

  @BeforeAll
  static void makeTable() {
    Database database = server.get().createDatabase();
    dataSource = Pools.withTable(pools.of(database, 8));
    otherDataSource = pools.of(database, 2);
  }

  @Override
  DataSource dataSource() {
    return dataSource;
  }

  /** The row is later than the snapshot, so PostgreSQL ends the transaction (40001). */
  @Override
  Set<String> answersBehindASnapshot() {
    return Set.of("conflict");
  }

  @Override
  DataSource otherDataSource() {
    return otherDataSource;
  }

  @Override
  void killSession(JdbcTemplate within) {
    Integer session = within.queryForObject("SELECT pg_backend_pid()", Integer.class);
    new JdbcTemplate(otherDataSource)
        .queryForObject("SELECT pg_terminate_backend(?)", Boolean.class, session);
  }
}
