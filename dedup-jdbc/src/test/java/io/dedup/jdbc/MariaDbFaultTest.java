// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import com.zaxxer.hikari.HikariConfig;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreFaultContract;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbFaultTest extends ClaimStoreFaultContract {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @RegisterExtension static final Pools pools = new Pools();

  private static FaultProxy proxy;
  private static DataSource throughProxy;
  private static DataSource direct;

  @BeforeAll
  static void makeTable() {
    Database database = server.get().createDatabase();
    proxy = FaultProxy.before(server.get());
    throughProxy = pools.of(database.through(proxy), 4, MariaDbFaultTest::impatient);
    direct = Pools.withTable(pools.of(database, 2));
  }

  @AfterAll
  static void closeProxy() {
    proxy.close();
  }

  @Override
  protected FaultProxy proxy() {
    return proxy;
  }

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return store(throughProxy, time);
  }

  @Override
  protected ClaimStore createDirectStore(StoreTime time) {
    return store(direct, time);
  }

  private static ClaimStore store(DataSource dataSource, StoreTime time) {
    return JdbcClaimStore.builder(dataSource)
        .time(time)
        .queryTimeout(Duration.ofSeconds(1))
        .build();
  }

  private static void impatient(HikariConfig config) {
    config.setConnectionTimeout(500);
    config.setValidationTimeout(250);
  }
}
