// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

/** What all guards have in common: transactions, conflicts and names. */
class GuardedTableTest extends OnEachDatabase {

  private VersionedUpdate rows;
  private String id;

  @BeforeEach
  void insertRow() {
    sql()
        .execute("CREATE TABLE IF NOT EXISTS guarded (id VARCHAR(40) PRIMARY KEY, version BIGINT)");
    rows = VersionedUpdate.builder(sql()).table("guarded").build();
    id = newName("r");
    insert(id);
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    TransactionTemplate readOnly =
        new TransactionTemplate(new JdbcTransactionManager(dataSource()));
    readOnly.setReadOnly(true);
    assertThatThrownBy(() -> readOnly.execute(status -> rows.update(id, 0)))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("read-only");
    assertThat(version()).isZero();
  }

  /** It would be committed whatever becomes of the transaction. */
  @Test
  void aTransactionOfAnotherDataSourceIsRefused() {
    Transactions other =
        SpringTransactions.of(new JdbcTransactionManager(pools.of(newDatabase(), 1)));
    assertThatThrownBy(() -> other.inTransaction(() -> rows.update(id, 0)))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("not one of this DataSource");
    assertThat(version()).isZero();
  }

  /** Its connection is there still, and what is written would be in no transaction. */
  @Test
  void aTransactionThatHasEndedIsRefused() throws Exception {
    AtomicReference<Object> answer = new AtomicReference<>();
    transactions()
        .inTransaction(
            () -> {
              transactions()
                  .afterCompletion(
                      completion -> {
                        try {
                          answer.set(rows.update(id, 0));
                        } catch (IllegalTransactionStateException e) {
                          answer.set(e.getMessage());
                        }
                      });
              return null;
            });
    assertThat(answer.get()).asString().contains("has ended");
    assertThat(version()).isZero();
  }

  /** A pool rolls back what nobody committed. */
  @Test
  void withoutATransactionAndWithoutAutoCommitNothingIsAnswered() {
    VersionedUpdate lost = VersionedUpdate.builder(notCommitting(1)).table("guarded").build();
    assertThatThrownBy(() -> lost.update(id, 0))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("auto-commit");
    assertThat(version()).isZero();
  }

  @Test
  void aProxyThatHandsOutTheConnectionOfTheTransactionIsLookedThrough() throws Exception {
    VersionedUpdate behind =
        VersionedUpdate.builder(new TransactionAwareDataSourceProxy(dataSource()))
            .table("guarded")
            .build();
    transactions().inTransaction(() -> behind.update(id, 0));
    assertThat(version()).isEqualTo(1);
  }

  /** Two transactions that wait for each other: the database ends one of them. */
  @Test
  void aDeadlockIsAConflictWhicheverTheDatabase() throws Exception {
    String other = id + "b";
    insert(other);
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    CompletableFuture<Void> forth = CompletableFuture.runAsync(() -> both(id, other, bothHaveOne));
    CompletableFuture<Void> back = CompletableFuture.runAsync(() -> both(other, id, bothHaveOne));

    assertThatThrownBy(() -> CompletableFuture.allOf(forth, back).get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(ConcurrencyFailureException.class);
    assertThat(forth.isCompletedExceptionally()).isNotEqualTo(back.isCompletedExceptionally());
  }

  @Test
  void inATransactionOfThePortAConflictIsOne() throws Exception {
    Transactions serial = transactions(Connection.TRANSACTION_SERIALIZABLE);
    String other = id + "b";
    insert(other);
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    CompletableFuture<Object> forth =
        CompletableFuture.supplyAsync(() -> crossed(serial, id, other, bothHaveOne));
    CompletableFuture<Object> back =
        CompletableFuture.supplyAsync(() -> crossed(serial, other, id, bothHaveOne));

    Object one = forth.get(60, TimeUnit.SECONDS);
    Object two = back.get(60, TimeUnit.SECONDS);
    assertThat(new Object[] {one, two})
        .hasAtLeastOneElementOfType(TransactionConflict.class)
        .hasOnlyElementsOfTypes(TransactionConflict.class, VersionedUpdate.Applied.class);
  }

  @Test
  void aTableThatIsNotThereIsAnErrorOfTheStatement() {
    VersionedUpdate nowhere = VersionedUpdate.builder(sql()).table(newName("t")).build();
    assertThatThrownBy(() -> nowhere.update(id, 0)).isInstanceOf(BadSqlGrammarException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "x; drop table y", "\"id\"", "`id`", "1st", "a.b", "é"})
  void whatIsNoPlainNameOfAColumnIsRefused(String name) {
    assertThatThrownBy(() -> VersionedUpdate.builder(sql()).version(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("version: was '" + name + "', must be the name of a column");
    assertThatThrownBy(() -> InsertOnce.builder(sql()).columns("a", name))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNoPlainNameOfATableIsRefused() {
    assertThatThrownBy(() -> MonotonicGuard.builder(sql()).table("x; drop table y"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("table: was 'x; drop table y', must be table or schema.table");
    assertThatThrownBy(() -> MonotonicGuard.builder(sql()).build())
        .hasMessage("table: was not set, must be named");
  }

  @Test
  void aColumnHasOneUse() {
    assertThatThrownBy(() -> VersionedUpdate.builder(sql()).table("guarded").set("Version").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column Version: was named twice, must have one use");
    assertThatThrownBy(() -> VersionedUpdate.builder(sql()).table("guarded").key().build())
        .hasMessage("key: was empty, must name at least one column");
  }

  private void both(String first, String second, CyclicBarrier bothHaveOne) {
    new TransactionTemplate(new JdbcTransactionManager(dataSource()))
        .executeWithoutResult(
            status -> {
              rows.update(first, 0);
              meet(bothHaveOne);
              rows.update(second, 0);
            });
  }

  private Object crossed(
      Transactions transactions, String first, String second, CyclicBarrier bothHaveOne) {
    try {
      return transactions.inTransaction(
          () -> {
            rows.update(first, 0);
            meet(bothHaveOne);
            return rows.update(second, 0);
          });
    } catch (Exception e) {
      return e;
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void insert(String row) {
    sql().update("INSERT INTO guarded VALUES (?, 0)", row);
  }

  private long version() {
    return new JdbcTemplate(dataSource())
        .queryForObject("SELECT version FROM guarded WHERE id = ?", Long.class, id);
  }
}
