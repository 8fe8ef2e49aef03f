// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Transactions;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreException;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

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

  /**
   * The server would roll back at the commit, and the driver would call that a success. So it has
   * to be found out before, by the settlement that follows the handler's writes.
   */
  @Test
  void whoSwallowsAnErrorOfTheServerCompletesNothing() {
    JdbcTemplate sql = new JdbcTemplate(dataSource);
    JdbcInbox inbox = JdbcInbox.of(JdbcClaimStore.builder(dataSource).build());
    Transactions transactions = SpringTransactions.of(new JdbcTransactionManager(dataSource));
    ClaimRequest request =
        ClaimRequest.builder(
                IdempotencyKey.of("inbox", "swallowed"),
                "me",
                Duration.ofSeconds(30),
                Duration.ofDays(1))
            .build();

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      Exchange claimed = inbox.claim(List.of(request));
                      long token = ((ClaimAnswer.Acquired) claimed.claimed().get(0)).token();
                      assertThatThrownBy(() -> sql.execute("SELECT 1 / 0"))
                          .isInstanceOf(DataIntegrityViolationException.class);
                      return inbox.settle(
                          List.of(
                              new SettleRequest(
                                  request.claim(token),
                                  new Settlement.Complete(null, Duration.ofDays(1)))));
                    }))
        .isInstanceOf(StoreException.class);

    assertThat(inbox.find(request.key())).isEmpty();
  }
}
