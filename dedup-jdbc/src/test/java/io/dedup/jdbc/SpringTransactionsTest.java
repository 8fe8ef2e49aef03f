// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Transactions;
import io.dedup.Transactions.Completion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What holds for transactions of every database. */
class SpringTransactionsTest {

  @RegisterExtension static final Pools pools = new Pools();

  private static DataSource dataSource;

  private Transactions transactions;
  private JdbcTemplate sql;

  @BeforeAll
  static void openDatabase() {
    dataSource = pools.of(Pools.h2(), 4);
    new JdbcTemplate(dataSource).execute("CREATE TABLE effect (id INT)");
  }

  @BeforeEach
  void empty() {
    transactions = SpringTransactions.of(new JdbcTransactionManager(dataSource));
    sql = new JdbcTemplate(dataSource);
    sql.update("DELETE FROM effect");
  }

  @Test
  void whatTheWorkReturnsIsReturnedOnceItIsCommitted() throws Exception {
    int updated =
        transactions.inTransaction(
            () -> {
              assertThat(transactions.isActive()).isTrue();
              return insert(1);
            });

    assertThat(updated).isEqualTo(1);
    assertThat(effects()).containsExactly(1);
    assertThat(transactions.isActive()).isFalse();
  }

  @Test
  void whatTheWorkThrowsIsThrownOnceItIsRolledBack() {
    IOException failure = new IOException("handler");

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      insert(1);
                      throw failure;
                    }))
        .isSameAs(failure);

    assertThat(effects()).isEmpty();
  }

  @Test
  void aTransactionWithinAnotherIsOneOfItsOwn() {
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      insert(1);
                      transactions.inTransaction(() -> insert(2));
                      throw new IOException("outer");
                    }))
        .hasMessage("outer");

    assertThat(effects()).containsExactly(2);
  }

  @Test
  void aSavepointUndoesItsOwnWritesAlone() throws Exception {
    transactions.inTransaction(
        () -> {
          insert(1);
          assertThatThrownBy(
                  () ->
                      transactions.inSavepoint(
                          () -> {
                            insert(2);
                            throw new IOException("record");
                          }))
              .hasMessage("record");
          return transactions.inSavepoint(() -> insert(3));
        });

    assertThat(effects()).containsExactly(1, 3);
  }

  @Test
  void listenersHearHowATransactionEnded() throws Exception {
    List<Completion> heard = new ArrayList<>();
    transactions.inTransaction(
        () -> {
          transactions.afterCompletion(heard::add);
          return null;
        });
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      transactions.afterCompletion(heard::add);
                      throw new IOException("handler");
                    }))
        .hasMessage("handler");

    assertThat(heard).containsExactly(Completion.COMMITTED, Completion.ROLLED_BACK);
  }

  @Test
  void aListenerThatFailsAfterTheCommitDoesNotMakeItAFailure() throws Exception {
    int updated =
        transactions.inTransaction(
            () -> {
              TransactionSynchronizationManager.registerSynchronization(new FailsAfterCommit());
              return insert(1);
            });

    assertThat(updated).isEqualTo(1);
    assertThat(effects()).containsExactly(1);
  }

  @Test
  void whatNeedsATransactionSaysSo() {
    assertThatThrownBy(() -> transactions.inSavepoint(() -> 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> transactions.afterCompletion(completion -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  private int insert(int id) {
    return sql.update("INSERT INTO effect (id) VALUES (?)", id);
  }

  private List<Integer> effects() {
    return sql.queryForList("SELECT id FROM effect ORDER BY id", Integer.class);
  }

  private static final class FailsAfterCommit implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      throw new IllegalStateException("listener");
    }
  }
}
