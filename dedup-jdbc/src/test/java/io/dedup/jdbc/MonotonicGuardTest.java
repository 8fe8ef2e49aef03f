// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.jdbc.MonotonicGuard.Answer;
import io.dedup.jdbc.MonotonicGuard.Applied;
import io.dedup.jdbc.MonotonicGuard.Missing;
import io.dedup.jdbc.MonotonicGuard.NotNewer;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A price that never goes back to an older one. */
class MonotonicGuardTest extends OnEachDatabase {

  private MonotonicGuard prices;
  private String sku;

  @BeforeEach
  void setPrice() {
    sql()
        .execute(
            "CREATE TABLE IF NOT EXISTS price (sku VARCHAR(40) PRIMARY KEY, seq BIGINT, amount INT)");
    prices =
        MonotonicGuard.builder(sql())
            .table("price")
            .key("sku")
            .sequence("seq")
            .set("amount")
            .build();
    sku = newName("s");
    sql().update("INSERT INTO price VALUES (?, 7, 700)", sku);
  }

  @Test
  void whatIsNewerIsAppliedAndWhatComesLateOrTwiceIsNot() {
    assertThat(prices.apply(sku, 9, 900)).isEqualTo(new Applied());
    assertThat(prices.apply(sku, 9, 901)).isEqualTo(new NotNewer(9));
    assertThat(prices.apply(sku, 8, 800)).isEqualTo(new NotNewer(9));

    assertThat(amount()).isEqualTo(900);
  }

  @Test
  void aRowThatHasNoSequenceYetTakesAny() {
    sql().update("UPDATE price SET seq = NULL WHERE sku = ?", sku);

    assertThat(prices.apply(sku, -3, 1)).isEqualTo(new Applied());
    assertThat(prices.apply(sku, -3, 2)).isEqualTo(new NotNewer(-3));
  }

  @Test
  void aMissingRowIsToldFromANewerOne() {
    assertThat(prices.apply("nobody", 9, 900)).isEqualTo(new Missing());
    assertThat(fold(prices.apply(sku, 8, 1))).isEqualTo("applied");
    assertThat(fold(prices.apply(sku, 8, 1))).isEqualTo("not newer than 8");
    assertThat(fold(prices.apply("nobody", 8, 1))).isEqualTo("missing");
  }

  @Test
  void itIsPartOfTheCallersTransaction() {
    assertThatThrownBy(
            () ->
                transactions()
                    .inTransaction(
                        () -> {
                          prices.apply(sku, 9, 900);
                          throw new IllegalStateException("handler");
                        }))
        .hasMessage("handler");

    assertThat(amount()).isEqualTo(700);
  }

  /**
   * Whatever the order: the newest is applied, and what is refused is older than what was there.
   */
  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofManyThatComeTogetherTheNewestStays(int isolation) throws Exception {
    AtomicLong next = new AtomicLong(100);
    Transactions within = transactions(isolation);
    List<String> answers =
        together(
            () -> {
              long sequence = next.getAndIncrement();
              return againstConflicts(
                  within,
                  () ->
                      prices.apply(sku, sequence, (int) sequence) instanceof NotNewer notNewer
                          ? notNewer.current() > sequence ? "late" : "lie"
                          : "applied");
            });

    assertThat(amount()).isEqualTo(100 + THREADS - 1);
    assertThat(answers).contains("applied").doesNotContain("lie");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofCopiesThatComeTogetherOneIsApplied(int isolation) throws Exception {
    Transactions within = transactions(isolation);
    List<Answer> answers =
        together(() -> againstConflicts(within, () -> prices.apply(sku, 9, 900)));

    assertThat(answers).containsOnlyOnce(new Applied());
    assertThat(answers).filteredOn(new NotNewer(9)::equals).hasSize(THREADS - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aRaceThatWasLostBehindASnapshotIsNotAnsweredFromTheSnapshot(int isolation) throws Exception {
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation, () -> prices.apply(sku, 9, 900), () -> fold(prices.apply(sku, 8, 800)));
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer).isIn(behindASnapshot("not newer than 9"));
    assertThat(amount()).isEqualTo(900);
  }

  /** Whoever comes first inserts it, and whoever has the newest stays. */
  @ParameterizedTest
  @ValueSource(
      ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
  void aMissingRowIsInsertedOnceAndTheNewestStays(int isolation) throws Exception {
    InsertOnce<Long> firstPrices =
        InsertOnce.builder(sql())
            .table("price")
            .key("sku")
            .columns("seq", "amount")
            .returning("seq")
            .build((row, number) -> row.getLong("seq"));
    sql().update("DELETE FROM price WHERE sku = ?", sku);
    AtomicLong next = new AtomicLong(100);
    Transactions within = transactions(isolation);
    together(
        () -> {
          long sequence = next.getAndIncrement();
          return againstConflicts(
              within,
              () -> {
                Answer answer = prices.apply(sku, sequence, (int) sequence);
                return answer instanceof Missing
                        && firstPrices.insert(sku, sequence, (int) sequence)
                            instanceof InsertOnce.Found
                    ? prices.apply(sku, sequence, (int) sequence)
                    : answer;
              });
        });

    assertThat(amount()).isEqualTo(100 + THREADS - 1);
  }

  private static String fold(Answer answer) {
    return answer.fold(
        applied -> "applied", late -> "not newer than " + late.current(), missing -> "missing");
  }

  private int amount() {
    return sql().queryForObject("SELECT amount FROM price WHERE sku = ?", Integer.class, sku);
  }
}
