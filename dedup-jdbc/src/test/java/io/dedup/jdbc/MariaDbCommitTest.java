// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Transactions;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MariaDbCommitTest extends CommitPromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @RegisterExtension static final Pools pools = new Pools();

  private static FaultProxy proxy;
  private static DataSource throughProxy;
  private static DataSource direct;

  @BeforeAll
  static void openPools() {
    Database database = server.get().createDatabase();
    proxy = FaultProxy.before(server.get());
    throughProxy = pools.of(database.through(proxy), 2);
    direct = pools.of(database, 4);
  }

  @AfterAll
  static void closeProxy() {
    proxy.close();
  }

  @Override
  FaultProxy proxy() {
    return proxy;
  }

  @Override
  DataSource throughProxy() {
    return throughProxy;
  }

  @Override
  DataSource direct() {
    return direct;
  }

  @ParameterizedTest
  @EnumSource
  void aWaitForARowThatWasGivenUpIsAConflict(Manager manager) throws Exception {
    sql().update("INSERT INTO effect VALUES (1, 0)");
    Transactions transactions = SpringTransactions.of(manager.of(direct));

    try (Rival rival = Rival.in(transactions, this::update)) {
      boolean conflict =
          isConflict(
              () ->
                  transactions.inTransaction(
                      () -> {
                        sql().execute("SET SESSION innodb_lock_wait_timeout = 0");
                        return update();
                      }));
      assertThat(conflict).isTrue();
      rival.commit();
    }
  }

  private Integer update() {
    return sql().update("UPDATE effect SET n = n + 1 WHERE id = 1");
  }
}
