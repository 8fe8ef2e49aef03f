// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.jdbc.InsertOnce.Answer;
import io.dedup.jdbc.InsertOnce.Found;
import io.dedup.jdbc.InsertOnce.Inserted;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;

/** A payment of which there is one for each order. */
class InsertOnceTest extends OnEachDatabase {

  /** What is read of a payment. */
  record Payment(long id, int amount) {}

  private InsertOnce<Payment> payments;
  private String order;

  @BeforeEach
  void openPayments() {
    sql()
        .execute(
            "CREATE TABLE IF NOT EXISTS payment (id "
                + (product == Product.MARIADB
                    ? "BIGINT AUTO_INCREMENT"
                    : "BIGINT GENERATED ALWAYS AS IDENTITY")
                + " PRIMARY KEY, tenant INT, ref VARCHAR(40), amount INT, receipt VARCHAR(40),"
                + " UNIQUE (tenant, ref), UNIQUE (receipt))");
    payments =
        InsertOnce.builder(sql())
            .table("payment")
            .key("tenant", "ref")
            .columns("amount", "receipt")
            .returning("id", "amount")
            .build((row, number) -> new Payment(row.getLong("id"), row.getInt("amount")));
    order = newName("o");
  }

  @Test
  void theFirstInsertsTheRowAndTheNextFindsIt() {
    Answer<Payment> first = payments.insert(1, order, 700, null);
    Answer<Payment> second = payments.insert(1, order, 900, null);
    Answer<Payment> other = payments.insert(2, order, 900, null);

    assertThat(first).isInstanceOf(Inserted.class);
    assertThat(second).isEqualTo(new Found<>(first.row()));
    assertThat(first.row().amount()).isEqualTo(700);
    assertThat(other).isInstanceOf(Inserted.class);
    assertThat(first.<String>fold(inserted -> "inserted", found -> "found")).isEqualTo("inserted");
    assertThat(second.<String>fold(inserted -> "inserted", found -> "found")).isEqualTo("found");
    assertThat(count()).isEqualTo(2);
  }

  /** An error that was caught would have aborted it on PostgreSQL. */
  @Test
  void aTransactionGoesOnAfterARowWasFound() throws Exception {
    payments.insert(1, order, 700, null);
    transactions()
        .inTransaction(
            () -> {
              assertThat(payments.insert(1, order, 900, null)).isInstanceOf(Found.class);
              return payments.insert(2, order, 900, null);
            });

    assertThat(count()).isEqualTo(2);
  }

  @Test
  void whatOneTransactionInsertedItFindsAndRollsBack() {
    assertThatThrownBy(
            () ->
                transactions()
                    .inTransaction(
                        () -> {
                          assertThat(payments.insert(1, order, 1, null))
                              .isInstanceOf(Inserted.class);
                          assertThat(payments.insert(1, order, 2, null)).isInstanceOf(Found.class);
                          throw new IllegalStateException("handler");
                        }))
        .hasMessage("handler");

    assertThat(count()).isZero();
    assertThat(payments.insert(1, order, 3, null)).isInstanceOf(Inserted.class);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofManyThatInsertOneDoesAndTheOthersGetItsRow(int isolation) throws Exception {
    Transactions within = transactions(isolation);
    List<Answer<Payment>> answers =
        together(() -> againstConflicts(within, () -> payments.insert(1, order, 700, null)));

    assertThat(answers).filteredOn(Inserted.class::isInstance).hasSize(1);
    assertThat(answers).extracting(Answer::row).containsOnly(answers.get(0).row());
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void ofManyThatInsertWithoutATransactionOneDoes() throws Exception {
    List<Answer<Payment>> answers = together(() -> payments.insert(1, order, 700, null));

    assertThat(answers).filteredOn(Inserted.class::isInstance).hasSize(1);
    assertThat(answers).extracting(Answer::row).containsOnly(answers.get(0).row());
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aRowInsertedBehindASnapshotIsFoundAllTheSame(int isolation) throws Exception {
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation,
              () -> payments.insert(1, order, 700, null),
              () -> payments.insert(1, order, 900, null).fold(i -> "inserted", f -> "found"));
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer).isIn(behindASnapshot("found"));
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aRivalThatRollsBackLeavesTheKeyToWhoWaited() throws Exception {
    CompletableFuture<Answer<Payment>> ours;
    try (Rival rival = Rival.in(transactions(), () -> payments.insert(1, order, 700, null))) {
      ours = CompletableFuture.supplyAsync(() -> payments.insert(1, order, 900, null));
      rival.rollBack();
    }
    assertThat(ours.get(30, TimeUnit.SECONDS)).isInstanceOf(Inserted.class);
  }

  /** It would be a lie to call it found: there is no row with this key. */
  @Test
  void anotherConstraintThatIsInTheWayIsAnError() {
    payments.insert(1, order, 700, order);

    assertThatThrownBy(() -> payments.insert(2, order, 700, order))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aKeyWithoutAUniqueConstraintIsRefused() {
    InsertOnce<Map<String, Object>> byRef =
        InsertOnce.builder(dataSource()).table("payment").key("ref").build();
    InsertOnce<Map<String, Object>> byMore =
        InsertOnce.builder(dataSource()).table("payment").key("tenant", "ref", "amount").build();

    assertThatThrownBy(() -> byRef.insert(order))
        .isInstanceOf(InvalidDataAccessResourceUsageException.class);
    assertThatThrownBy(() -> byMore.insert(1, order, 7))
        .isInstanceOf(InvalidDataAccessResourceUsageException.class);
    assertThat(count()).isZero();
  }

  /** Unique constraints do not count nulls. */
  @Test
  void aKeyThatIsNullIsRefused() {
    assertThatThrownBy(() -> payments.insert(1, null, 700, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key: was null, must have values for [tenant, ref]");
    assertThatThrownBy(() -> payments.insert(1, order))
        .hasMessage("values: were 2, must be one for each of [tenant, ref, amount, receipt]");
  }

  @Test
  void withoutAMapperTheRowIsAMapOfItsKey() {
    String table = newName("t");
    sql().execute("CREATE TABLE " + table + " (id INT PRIMARY KEY)");
    InsertOnce<Map<String, Object>> plain = InsertOnce.builder(sql()).table(table).build();

    assertThat(plain.insert(4)).isInstanceOf(Inserted.class);
    Answer<Map<String, Object>> again = plain.insert(4);
    assertThat(again).isInstanceOf(Found.class);
    assertThat(again.row()).containsEntry("id", 4).hasSize(1);
  }

  private int count() {
    return sql().queryForObject("SELECT COUNT(*) FROM payment WHERE ref = ?", Integer.class, order);
  }
}
