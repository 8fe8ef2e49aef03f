// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreContract;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresClaimStoreTest extends ClaimStoreContract {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @RegisterExtension static final Pools pools = new Pools();

  private static DataSource here;
  private static DataSource there;

  @BeforeAll
  static void makeTable() {
    Database database = server.get().createDatabase();
    here = Pools.withTable(pools.of(database, 8));
    there = pools.of(database, 8);
  }

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return JdbcClaimStore.builder(here).time(time).build();
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return JdbcClaimStore.builder(there).time(time).build();
  }
}
