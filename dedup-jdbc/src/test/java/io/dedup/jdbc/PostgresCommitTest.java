// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.CommitIndeterminate;
import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;

class PostgresCommitTest extends CommitPromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

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

  /** Write skew: each reads what the other writes. One of them may commit, at the latest then. */
  @ParameterizedTest
  @EnumSource
  void oneOfTwoThatCannotBothBeSerialIsAConflictAtItsCommit(Manager manager) throws Exception {
    sql().update("INSERT INTO effect VALUES (1, 0), (2, 0)");
    DefaultTransactionDefinition serializable = new DefaultTransactionDefinition();
    serializable.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
    Transactions transactions = SpringTransactions.of(manager.of(direct), serializable);

    try (Rival rival = Rival.in(transactions, () -> skew(1, 2))) {
      boolean conflict =
          isConflict(
              () ->
                  transactions.inTransaction(
                      () -> {
                        skew(2, 1);
                        rival.commit();
                        return null;
                      }));
      assertThat(conflict).isTrue();
    }
    assertThat(sql().queryForObject("SELECT sum(n) FROM effect", Integer.class)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aConstraintThatSaysNoAtTheCommitIsTheWorksOwnFailure(Manager manager) {
    sql()
        .execute("ALTER TABLE effect ADD CONSTRAINT once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
    Transactions transactions = SpringTransactions.of(manager.of(direct));

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> sql().update("INSERT INTO effect VALUES (1, 0), (2, 0)")))
        .isNotInstanceOf(CommitIndeterminate.class)
        .isNotInstanceOf(TransactionConflict.class);

    assertThat(effects()).isEmpty();
  }

  private Integer skew(int read, int write) {
    sql().queryForObject("SELECT n FROM effect WHERE id = ?", Integer.class, read);
    return sql().update("UPDATE effect SET n = n + 1 WHERE id = ?", write);
  }
}
