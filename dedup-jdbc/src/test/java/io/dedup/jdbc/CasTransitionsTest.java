// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static io.dedup.jdbc.CasTransitionsTest.OrderState.FAILED;
import static io.dedup.jdbc.CasTransitionsTest.OrderState.PAID;
import static io.dedup.jdbc.CasTransitionsTest.OrderState.PAYING;
import static io.dedup.jdbc.CasTransitionsTest.OrderState.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.jdbc.CasTransitions.AlreadyThere;
import io.dedup.jdbc.CasTransitions.Answer;
import io.dedup.jdbc.CasTransitions.Applied;
import io.dedup.jdbc.CasTransitions.Missing;
import io.dedup.jdbc.CasTransitions.Refused;
import java.sql.Connection;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An order that is paid once, however many pay it. */
class CasTransitionsTest extends OnEachDatabase {

  enum OrderState {
    PENDING,
    PAYING,
    PAID,
    FAILED
  }

  private CasTransitions<OrderState> orders;
  private String id;

  @BeforeEach
  void placeOrder() {
    // Both names are words of SQL.
    sql()
        .execute(
            "CREATE TABLE IF NOT EXISTS "
                + quoted("order")
                + " (id VARCHAR(40) PRIMARY KEY, "
                + quoted("from")
                + " VARCHAR(20))");
    orders = builder().build();
    id = newName("o");
    place(id, "PENDING");
  }

  @Test
  void aTransitionIsAppliedOnceAndThenTheRowIsAlreadyThere() {
    assertThat(orders.transition(id, PENDING, PAYING)).isEqualTo(new Applied<>());
    assertThat(orders.transition(id, PENDING, PAYING)).isEqualTo(new AlreadyThere<>());
    assertThat(stateOf(id)).isEqualTo("PAYING");
  }

  @Test
  void aRowInAnotherStateStaysThereAndTheAnswerNamesIt() {
    place("paid" + id, "PAID");

    assertThat(orders.transition("paid" + id, PENDING, PAYING)).isEqualTo(new Refused<>(PAID));
    assertThat(stateOf("paid" + id)).isEqualTo("PAID");
  }

  @Test
  void aStateThatIsNoneOfOursIsRefusedAndNotGuessed() {
    place("new" + id, "REFUNDED");
    place("null" + id, null);

    assertThat(orders.transition("new" + id, PENDING, PAYING)).isEqualTo(new Refused<>(null));
    assertThat(orders.transition("null" + id, PENDING, PAYING)).isEqualTo(new Refused<>(null));
  }

  @Test
  void aMissingRowIsToldFromARefusal() {
    assertThat(orders.transition("nobody", PENDING, PAYING)).isEqualTo(new Missing<>());
  }

  @Test
  void eachAnswerIsACaseOfItsOwn() {
    place("paid" + id, "PAID");
    List<String> cases =
        List.of(
            fold(orders.transition(id, PENDING, PAYING)),
            fold(orders.transition(id, PENDING, PAYING)),
            fold(orders.transition("paid" + id, PENDING, PAYING)),
            fold(orders.transition("nobody", PENDING, PAYING)));

    assertThat(cases).containsExactly("applied", "already there", "refused: PAID", "missing");
  }

  @Test
  void aTransitionThatWasNotDeclaredIsRefusedBeforeAnythingIsAsked() {
    assertThatThrownBy(() -> orders.transition(id, PAID, PENDING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "transition: was PAID -> PENDING, must be one of"
                + " {PENDING=[PAYING], PAYING=[PAID, FAILED]}");
  }

  @Test
  void itIsPartOfTheCallersTransactionAndOfWhatElseThatWrites() {
    JdbcClient client = JdbcClient.create(dataSource());
    assertThatThrownBy(
            () ->
                transactions()
                    .inTransaction(
                        () -> {
                          place("beside" + id, "PENDING");
                          orders.transition(id, PENDING, PAYING);
                          assertThat(
                                  client
                                      .sql(
                                          "SELECT "
                                              + quoted("from")
                                              + " FROM "
                                              + quoted("order")
                                              + " WHERE id = ?")
                                      .param(id)
                                      .query(String.class)
                                      .single())
                              .isEqualTo("PAYING");
                          throw new IllegalStateException("handler");
                        }))
        .hasMessage("handler");

    assertThat(stateOf(id)).isEqualTo("PENDING");
    assertThat(orders.transition("beside" + id, PENDING, PAYING)).isEqualTo(new Missing<>());
  }

  /** A refusal is an answer and no error: PostgreSQL would abort the transaction at one. */
  @Test
  void aTransactionGoesOnAfterARefusal() throws Exception {
    place("paid" + id, "PAID");
    transactions()
        .inTransaction(
            () -> {
              orders.transition("paid" + id, PENDING, PAYING);
              return orders.transition(id, PENDING, PAYING);
            });

    assertThat(stateOf(id)).isEqualTo("PAYING");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofManyThatMoveARowOneDoes(int isolation) throws Exception {
    Transactions within = transactions(isolation);
    List<Answer<OrderState>> answers =
        together(() -> againstConflicts(within, () -> orders.transition(id, PENDING, PAYING)));

    assertThat(answers).containsOnlyOnce(new Applied<>());
    assertThat(answers).filteredOn(a -> a instanceof AlreadyThere).hasSize(THREADS - 1);
  }

  @Test
  void ofManyThatMoveARowWithoutATransactionOneDoes() throws Exception {
    List<Answer<OrderState>> answers = together(() -> orders.transition(id, PENDING, PAYING));

    assertThat(answers).containsOnlyOnce(new Applied<>());
    assertThat(answers).filteredOn(a -> a instanceof AlreadyThere).hasSize(THREADS - 1);
  }

  /** Of two ends that exclude each other one is reached, and the losers are told which. */
  @Test
  void ofTwoTransitionsThatExcludeEachOtherOneIsApplied() throws Exception {
    orders.transition(id, PENDING, PAYING);
    AtomicInteger turn = new AtomicInteger();
    List<Answer<OrderState>> answers =
        together(
            () -> orders.transition(id, PAYING, turn.getAndIncrement() % 2 == 0 ? PAID : FAILED));

    OrderState end = OrderState.valueOf(stateOf(id));
    assertThat(end).isIn(PAID, FAILED);
    assertThat(answers).containsOnlyOnce(new Applied<>());
    assertThat(answers)
        .filteredOn(a -> a instanceof Refused)
        .hasSize(THREADS / 2)
        .containsOnly(new Refused<>(end));
  }

  /**
   * The rival moved it after our snapshot: that is seen, or the database says that it cannot be.
   */
  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aRaceThatWasLostBehindASnapshotIsNotAnsweredFromTheSnapshot(int isolation) throws Exception {
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation,
              () -> orders.transition(id, PENDING, PAYING),
              () -> fold(orders.transition(id, PENDING, PAYING)));
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer).isIn(behindASnapshot("already there"));
    assertThat(stateOf(id)).isEqualTo("PAYING");
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aRefusalBehindASnapshotIsNotAnsweredFromTheSnapshot(int isolation) throws Exception {
    orders.transition(id, PENDING, PAYING);
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation,
              () -> orders.transition(id, PAYING, PAID),
              () -> fold(orders.transition(id, PENDING, PAYING)));
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer).isIn(behindASnapshot("refused: PAID"));
  }

  @Test
  void aRivalThatRollsBackLeavesTheRowToWhoWaited() throws Exception {
    CompletableFuture<Answer<OrderState>> ours;
    try (Rival rival = Rival.in(transactions(), () -> orders.transition(id, PENDING, PAYING))) {
      ours = CompletableFuture.supplyAsync(() -> orders.transition(id, PENDING, PAYING));
      rival.rollBack();
    }
    assertThat(ours.get(30, TimeUnit.SECONDS)).isEqualTo(new Applied<>());
  }

  @Test
  void anOrderIsPaidOnceByConcurrentCallers() throws Exception {
    AtomicInteger charges = new AtomicInteger();
    Transactions.Work<String> pay =
        () -> {
          // Committed before the charge: whoever comes later finds it.
          if (!(orders.transition(id, PENDING, PAYING) instanceof Applied)) {
            return "left to another";
          }
          charges.incrementAndGet();
          return fold(orders.transition(id, PAYING, PAID));
        };

    assertThat(together(pay)).containsOnlyOnce("applied");
    assertThat(charges).hasValue(1);
    assertThat(stateOf(id)).isEqualTo("PAID");
    assertThat(pay.run()).isEqualTo("left to another");
  }

  @Test
  void aStateMayBeStoredAsANumber() {
    String table = newName("t");
    sql()
        .execute(
            "CREATE TABLE "
                + table
                + " (tenant INT, no INT, status SMALLINT, PRIMARY KEY (tenant, no))");
    sql().update("INSERT INTO " + table + " VALUES (1, 7, 0), (2, 7, 2)");
    CasTransitions<OrderState> numbered =
        CasTransitions.builder(dataSource(), OrderState.class)
            .table(table)
            .key("tenant", "no")
            .state("status")
            .stored(OrderState::ordinal)
            .allow(PENDING, PAYING)
            .build();

    assertThat(numbered.transition(List.of(1, 7), PENDING, PAYING)).isEqualTo(new Applied<>());
    assertThat(numbered.transition(List.of(2, 7), PENDING, PAYING)).isEqualTo(new Refused<>(PAID));
    assertThat(numbered.transition(List.of(3, 7), PENDING, PAYING)).isEqualTo(new Missing<>());
    assertThatThrownBy(() -> numbered.transition(1, PENDING, PAYING))
        .hasMessage("key: had 1 values, must have one for each of [tenant, no]");
  }

  /** PostgreSQL has no operator between its enumerated types and text; elsewhere this is text. */
  @Test
  void aStateMayBeOfAnEnumeratedTypeOrPadded() {
    String table = newName("t");
    boolean enumerated = product == Product.POSTGRESQL;
    if (enumerated) {
      sql().execute("CREATE TYPE e" + table + " AS ENUM ('PENDING', 'PAYING', 'PAID', 'FAILED')");
    }
    sql()
        .execute(
            "CREATE TABLE "
                + table
                + " (id INT PRIMARY KEY, state "
                + (enumerated ? "e" + table : "CHAR(10)")
                + ")");
    sql().update("INSERT INTO " + table + " VALUES (1, 'PENDING'), (2, 'PAID')");
    CasTransitions.Builder<OrderState> builder =
        CasTransitions.builder(sql(), OrderState.class).table(table).allow(PENDING, PAYING);
    if (enumerated) {
      builder.stored(state -> new SqlParameterValue(Types.OTHER, state.name()));
    }
    CasTransitions<OrderState> typed = builder.build();

    assertThat(typed.transition(1, PENDING, PAYING)).isEqualTo(new Applied<>());
    assertThat(typed.transition(2, PENDING, PAYING)).isEqualTo(new Refused<>(PAID));
  }

  private CasTransitions.Builder<OrderState> builder() {
    return CasTransitions.builder(sql(), OrderState.class)
        .table("order")
        .state("from")
        .allow(PENDING, PAYING)
        .allow(PAYING, PAID, FAILED);
  }

  private static String fold(Answer<OrderState> answer) {
    return answer.fold(
        applied -> "applied",
        alreadyThere -> "already there",
        refused -> "refused: " + refused.current(),
        missing -> "missing");
  }

  private void place(String order, String state) {
    sql().update("INSERT INTO " + quoted("order") + " VALUES (?, ?)", order, state);
  }

  private String stateOf(String order) {
    return sql()
        .queryForObject(
            "SELECT " + quoted("from") + " FROM " + quoted("order") + " WHERE id = ?",
            String.class,
            order);
  }

  private String quoted(String word) {
    return switch (product) {
      case POSTGRESQL -> '"' + word + '"';
      case MARIADB -> '`' + word + '`';
      case H2 -> '"' + word.toUpperCase(Locale.ROOT) + '"';
    };
  }
}
