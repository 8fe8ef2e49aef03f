// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.CommitIndeterminate;
import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.Transactions.Completion;
import io.dedup.testkit.server.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** What a server does to transactions: it ends them in favour of others, and it goes away. */
abstract class CommitPromises {

  /** The two managers translate exceptions differently. */
  enum Manager {
    DATA_SOURCE {
      @Override
      PlatformTransactionManager of(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
      }
    },
    JDBC {
      @Override
      PlatformTransactionManager of(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
      }
    };

    abstract PlatformTransactionManager of(DataSource dataSource);
  }

  private JdbcTemplate direct;

  abstract FaultProxy proxy();

  abstract DataSource throughProxy();

  abstract DataSource direct();

  @BeforeEach
  void makeTables() {
    proxy().heal();
    direct = new JdbcTemplate(direct());
    direct.execute("DROP TABLE IF EXISTS effect");
    direct.execute("CREATE TABLE effect (id INT PRIMARY KEY, n INT)");
  }

  @ParameterizedTest
  @EnumSource
  void aCommitWhoseAnswerIsLostIsIndeterminateAlthoughItIsDone(Manager manager) {
    Transactions transactions = SpringTransactions.of(manager.of(throughProxy()));
    JdbcTemplate sql = new JdbcTemplate(throughProxy());
    List<Completion> heard = new ArrayList<>();

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      transactions.afterCompletion(heard::add);
                      sql.update("INSERT INTO effect VALUES (1, 0)");
                      proxy().dropNextReply();
                      return null;
                    }))
        .isInstanceOf(CommitIndeterminate.class);

    assertThat(heard).containsExactly(Completion.UNKNOWN);
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(effects()).containsExactly(1));
  }

  @ParameterizedTest
  @EnumSource
  void aCommitThatNeverArrivesIsIndeterminateAlthoughNothingIsDone(Manager manager) {
    Transactions transactions = SpringTransactions.of(manager.of(throughProxy()));
    JdbcTemplate sql = new JdbcTemplate(throughProxy());
    List<Completion> heard = new ArrayList<>();

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      transactions.afterCompletion(heard::add);
                      sql.update("INSERT INTO effect VALUES (1, 0)");
                      proxy().refuse();
                      return null;
                    }))
        .isInstanceOf(CommitIndeterminate.class);

    assertThat(heard).containsExactly(Completion.UNKNOWN);
    assertThat(effects()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatBreaksInTheWorkLeavesNothing(Manager manager) {
    Transactions transactions = SpringTransactions.of(manager.of(throughProxy()));
    JdbcTemplate sql = new JdbcTemplate(throughProxy());

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      sql.update("INSERT INTO effect VALUES (1, 0)");
                      proxy().refuse();
                      return sql.update("INSERT INTO effect VALUES (2, 0)");
                    }))
        .isNotInstanceOf(CommitIndeterminate.class)
        .isNotInstanceOf(TransactionConflict.class);

    assertThat(effects()).isEmpty();
  }

  /** Each updates its own row, waits for the other, and goes for the other's row. */
  @ParameterizedTest
  @EnumSource
  void theVictimOfADeadlockIsAConflict(Manager manager) throws Exception {
    direct.update("INSERT INTO effect VALUES (1, 0), (2, 0)");
    Transactions transactions = SpringTransactions.of(manager.of(direct()));
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int own = 1; own <= 2; own++) {
        int first = own;
        ends.add(
            threads.submit(() -> isConflict(() -> updateBoth(transactions, bothHaveOne, first))));
      }
      List<Boolean> conflicts = new ArrayList<>();
      for (Future<Boolean> end : ends) {
        conflicts.add(end.get(60, TimeUnit.SECONDS));
      }
      assertThat(conflicts).containsExactlyInAnyOrder(true, false);
    } finally {
      threads.shutdownNow();
    }
    assertThat(direct.queryForList("SELECT n FROM effect", Integer.class)).containsExactly(1, 1);
  }

  JdbcTemplate sql() {
    return direct;
  }

  List<Integer> effects() {
    return direct.queryForList("SELECT id FROM effect ORDER BY id", Integer.class);
  }

  static boolean isConflict(Transactions.Work<?> work) throws Exception {
    try {
      work.run();
      return false;
    } catch (TransactionConflict e) {
      return true;
    }
  }

  private Integer updateBoth(Transactions transactions, CyclicBarrier bothHaveOne, int first)
      throws Exception {
    return transactions.inTransaction(
        () -> {
          direct.update("UPDATE effect SET n = n + 1 WHERE id = ?", first);
          bothHaveOne.await(30, TimeUnit.SECONDS);
          return direct.update("UPDATE effect SET n = n + 1 WHERE id = ?", 3 - first);
        });
  }
}
