// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;

/** Guards where MariaDB says that a row changed since the snapshot, as it does from 11.6 on. */
class MariaDbSnapshotIsolationTest {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();
  @RegisterExtension static final Pools pools = new Pools();

  private Transactions transactions;
  private JdbcTemplate sql;
  private VersionedUpdate rows;

  @BeforeEach
  void open() {
    DataSource dataSource =
        pools.of(
            server.get().createDatabase(),
            4,
            config -> config.setConnectionInitSql("SET SESSION innodb_snapshot_isolation = ON"));
    transactions = SpringTransactions.of(new JdbcTransactionManager(dataSource));
    sql = new JdbcTemplate(dataSource);
    sql.execute("CREATE TABLE guarded (id INT PRIMARY KEY, version INT)");
    sql.update("INSERT INTO guarded VALUES (1, 0)");
    rows = VersionedUpdate.builder(sql).table("guarded").build();
  }

  @Test
  void aRowThatChangedSinceTheSnapshotIsAConflict() {
    assertThatThrownBy(() -> transactions.inTransaction(this::updateBehindASnapshot))
        .isInstanceOf(TransactionConflict.class)
        .hasCauseInstanceOf(ConcurrencyFailureException.class);

    assertThat(rows.update(1, 0)).isEqualTo(new VersionedUpdate.Stale(1));
  }

  /** The server has rolled back already, and would commit what follows without what went before. */
  @Test
  void whoSwallowsAConflictCommitsNothing() {
    sql.update("INSERT INTO guarded VALUES (2, 0)");
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      assertThatThrownBy(this::updateBehindASnapshot)
                          .isInstanceOf(ConcurrencyFailureException.class);
                      return rows.update(2, 0);
                    }))
        .isInstanceOf(UnexpectedRollbackException.class);

    assertThat(rows.update(2, 0)).isEqualTo(new VersionedUpdate.Applied(1));
  }

  private VersionedUpdate.Answer updateBehindASnapshot() throws Exception {
    sql.queryForObject("SELECT COUNT(*) FROM guarded", Integer.class);
    Rival.in(transactions, () -> rows.update(1, 0)).commit();
    return rows.update(1, 0);
  }
}
