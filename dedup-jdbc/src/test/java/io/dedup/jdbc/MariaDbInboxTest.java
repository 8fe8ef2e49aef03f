// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

class MariaDbInboxTest extends InboxPromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

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

  /** Locking reads see what is committed, whatever the snapshot. */
  @Override
  Set<String> answersBehindASnapshot() {
    return Set.of("Completed");
  }

  @Override
  DataSource otherDataSource() {
    return otherDataSource;
  }

  @Override
  void killSession(JdbcTemplate within) {
    Long session = within.queryForObject("SELECT CONNECTION_ID()", Long.class);
    new JdbcTemplate(otherDataSource).execute("KILL CONNECTION " + session);
  }
}
