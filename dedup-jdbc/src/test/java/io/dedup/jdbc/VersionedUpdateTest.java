// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.TransactionConflict;
import io.dedup.Transactions;
import io.dedup.jdbc.VersionedUpdate.Answer;
import io.dedup.jdbc.VersionedUpdate.Applied;
import io.dedup.jdbc.VersionedUpdate.Missing;
import io.dedup.jdbc.VersionedUpdate.Stale;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataRetrievalFailureException;
import org.springframework.jdbc.JdbcUpdateAffectedIncorrectNumberOfRowsException;

/** An account of which no update is lost. */
class VersionedUpdateTest extends OnEachDatabase {

  private VersionedUpdate accounts;
  private String id;

  @BeforeEach
  void openAccount() {
    sql()
        .execute(
            "CREATE TABLE IF NOT EXISTS account"
                + " (id VARCHAR(40) PRIMARY KEY, version BIGINT, balance INT, note VARCHAR(20))");
    accounts = VersionedUpdate.builder(sql()).table("account").set("balance", "note").build();
    id = newName("a");
    sql().update("INSERT INTO account VALUES (?, 5, 100, 'x')", id);
  }

  @Test
  void theVersionThatWasReadMayBeChangedOnce() {
    assertThat(accounts.update(id, 5, 80, null)).isEqualTo(new Applied(6));
    assertThat(accounts.update(id, 5, 60, "y")).isEqualTo(new Stale(6));

    assertThat(row()).containsEntry("balance", 80).containsEntry("note", null);
  }

  @Test
  void aMissingRowIsToldFromAStaleOne() {
    assertThat(accounts.update("nobody", 5, 80, "y")).isEqualTo(new Missing());
    assertThat(fold(accounts.update(id, 5, 1, "y"))).isEqualTo("applied 6");
    assertThat(fold(accounts.update(id, 5, 1, "y"))).isEqualTo("stale 6");
    assertThat(fold(accounts.update("nobody", 5, 1, "y"))).isEqualTo("missing");
  }

  @Test
  void itIsPartOfTheCallersTransaction() {
    assertThatThrownBy(
            () ->
                transactions()
                    .inTransaction(
                        () -> {
                          assertThat(accounts.update(id, 5, 80, "y")).isEqualTo(new Applied(6));
                          throw new IllegalStateException("handler");
                        }))
        .hasMessage("handler");

    assertThat(row()).containsEntry("balance", 100).containsEntry("version", 5L);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void ofManyThatChangeAVersionOneDoes(int isolation) throws Exception {
    Transactions within = transactions(isolation);
    List<Answer> answers =
        together(() -> againstConflicts(within, () -> accounts.update(id, 5, 80, "y")));

    assertThat(answers).containsOnlyOnce(new Applied(6));
    assertThat(answers).filteredOn(new Stale(6)::equals).hasSize(THREADS - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aRaceThatWasLostBehindASnapshotIsNotAnsweredFromTheSnapshot(int isolation) throws Exception {
    String answer;
    try {
      answer =
          behindASnapshot(
              isolation,
              () -> accounts.update(id, 5, 80, "y"),
              () -> fold(accounts.update(id, 5, 60, "z")));
    } catch (TransactionConflict e) {
      answer = "conflict";
    }
    assertThat(answer).isIn(behindASnapshot("stale 6"));
    assertThat(row()).containsEntry("balance", 80);
  }

  @Test
  void aRowWithoutAVersionIsAnErrorAndNoAnswer() {
    sql().update("UPDATE account SET version = NULL WHERE id = ?", id);
    assertThatThrownBy(() -> accounts.update(id, 5, 80, "y"))
        .isInstanceOf(DataRetrievalFailureException.class);
  }

  /** In a transaction the change is undone with it. */
  @Test
  void aKeyThatIsNotUniqueIsAnError() {
    sql().update("INSERT INTO account VALUES (?, 5, 100, 'x')", id + "b");
    VersionedUpdate byNote =
        VersionedUpdate.builder(dataSource()).table("account").key("note").set("balance").build();

    assertThatThrownBy(() -> transactions().inTransaction(() -> byNote.update("x", 5, 0)))
        .isInstanceOf(JdbcUpdateAffectedIncorrectNumberOfRowsException.class);
    assertThat(row()).containsEntry("balance", 100);
    sql().update("DELETE FROM account");
  }

  @Test
  void valuesThatDoNotFitTheColumnsAreRefused() {
    assertThatThrownBy(() -> accounts.update(id, 5, 80))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("values: were 1, must be one for each of [balance, note]");
  }

  private static String fold(Answer answer) {
    return answer.fold(
        applied -> "applied " + applied.version(),
        stale -> "stale " + stale.current(),
        missing -> "missing");
  }

  private Map<String, Object> row() {
    return sql().queryForMap("SELECT * FROM account WHERE id = ?", id);
  }
}
