// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a database does to a transaction of the store, at its commit. */
class RetryTest {

  @RegisterExtension static final Pools pools = new Pools();

  private final AtomicInteger commits = new AtomicInteger();
  private DataSource pool;

  @BeforeEach
  void makeTable() {
    pool = Pools.withTable(pools.of(Pools.h2(), 2));
  }

  @ParameterizedTest
  @CsvSource({"40001, 0", "40P01, 0", "40001, 1213", "90131, 90131"})
  void aTransactionThatLostAgainstAnotherIsTriedAgainAsAWhole(String state, int code) {
    JdbcClaimStore store = failing(3, new SQLException("in any language", state, code));

    assertThat(StorePromises.claim(store, StorePromises.request()))
        .isInstanceOfSatisfying(
            ClaimAnswer.Acquired.class, answer -> assertThat(answer.attempt()).isEqualTo(1));
    assertThat(commits).hasValue(4);
  }

  @Test
  void oneThatAlwaysLosesIsUnavailableAfterSomeTries() {
    JdbcClaimStore store = failing(Integer.MAX_VALUE, new SQLException("lost", "40001"));

    assertThatThrownBy(() -> StorePromises.claim(store, StorePromises.request()))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("exchange failed with SQLState 40001");
    assertThat(commits).hasValue(OwnTransactions.TRIES_MAX);
  }

  @Test
  void otherTroubleIsNotTriedAgain() {
    JdbcClaimStore broken = failing(1, new SQLException("broken", "08006"));
    assertThatThrownBy(() -> StorePromises.claim(broken, StorePromises.request()))
        .isInstanceOf(StoreUnavailable.class);
    assertThat(commits).hasValue(1);

    JdbcClaimStore forbidden = failing(2, new SQLException("forbidden", "42501"));
    assertThatThrownBy(() -> StorePromises.claim(forbidden, StorePromises.request()))
        .isInstanceOf(StoreMisconfigured.class);
    assertThat(commits).hasValue(2);
  }

  /** A store whose first commits fail, with nothing stored. */
  private JdbcClaimStore failing(int untilCommit, SQLException failure) {
    return JdbcClaimStore.builder(
            Connections.from(() -> failing(pool.getConnection(), untilCommit, failure)))
        .build();
  }

  private Connection failing(Connection real, int untilCommit, SQLException failure) {
    return Connections.intercepted(
        real,
        (method, call) -> {
          if (method.getName().equals("commit") && commits.incrementAndGet() <= untilCommit) {
            throw failure;
          }
          return call.proceed();
        });
  }
}
