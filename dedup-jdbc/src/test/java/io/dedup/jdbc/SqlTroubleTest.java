// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlTroubleTest {

  /** The texts are what servers say in other languages; nobody reads them. */
  @ParameterizedTest
  @CsvSource({
    "PostgreSQL: a key, 23505, 0, DUPLICATE",
    "MariaDB: a key, 23000, 1062, DUPLICATE",
    "H2: a key, 23505, 23505, DUPLICATE",
    "another constraint, 23503, 0, OTHER",
    "MariaDB: another constraint, 23000, 1452, OTHER",
    "PostgreSQL: not serial, 40001, 0, CONFLICT",
    "PostgreSQL: a deadlock, 40P01, 0, CONFLICT",
    "MariaDB: a deadlock, 40001, 1213, CONFLICT",
    "MariaDB: a snapshot too old, HY000, 1020, CONFLICT",
    "H2: a deadlock, 40001, 40001, CONFLICT",
    "H2: a row changed, 90131, 90131, CONFLICT",
    "MariaDB: a lock, HY000, 1205, ROW_BUSY",
    "MySQL: NOWAIT, HY000, 3572, ROW_BUSY",
    "PostgreSQL: NOWAIT, 55P03, 0, ROW_BUSY",
    "H2: a lock, HYT00, 50200, ROW_BUSY",
    "unknown whether done, 40003, 0, CONNECTION",
    "PostgreSQL: stopped, 57P01, 0, CONNECTION",
    "PostgreSQL: a standby, 25006, 0, CONNECTION",
    "broken, 08006, 0, CONNECTION",
    "MariaDB: killed, 70100, 1927, CONNECTION",
    "PostgreSQL: no table, 42P01, 0, MISCONFIGURED",
    "PostgreSQL: no constraint, 42P10, 0, MISCONFIGURED",
    "PostgreSQL: no permission, 42501, 0, MISCONFIGURED",
    "MariaDB: no table, 42S02, 1146, MISCONFIGURED",
    "MariaDB: no permission, 42000, 1142, MISCONFIGURED",
    "MariaDB: a packet too large, 42000, 1162, OTHER",
    "H2: no table, 42S02, 42102, MISCONFIGURED",
    "wrong password, 28P01, 0, MISCONFIGURED",
    "PostgreSQL: cancelled, 57014, 0, OTHER",
  })
  void errorsAreKnownByTheirCodes(String what, String state, int code, SqlTrouble expected) {
    SQLException inAnyLanguage = new SQLException("doppelter Schlüsselwert / 重复键", state, code);
    assertThat(SqlTrouble.of(inAnyLanguage)).as(what).isEqualTo(expected);
  }

  @Test
  void anErrorWithoutACodeIsTroubleWithTheConnection() {
    assertThat(SqlTrouble.of(new SQLException("the pool is closed")))
        .isEqualTo(SqlTrouble.CONNECTION);
  }

  @Test
  void aConflictCountsWhereverItIsInTheChain() {
    SQLException commit = new SQLException("rolled back", "25P02");
    commit.setNextException(new SQLException("not serial", "40001"));
    assertThat(SqlTrouble.within(new IllegalStateException(new RuntimeException(commit))))
        .isEqualTo(SqlTrouble.CONFLICT);
    assertThat(SqlTrouble.within(new IllegalStateException("no database"))).isNull();
  }

  @Test
  void onlyWhatIsMissingIsAnErrorOfConfiguration() {
    assertThat(SqlTrouble.exception("table t", "claim", new SQLException("", "42P01")))
        .isInstanceOf(StoreMisconfigured.class);
    assertThat(SqlTrouble.exception("table t", "claim", new SQLException("", "53200")))
        .isInstanceOf(StoreUnavailable.class);
  }
}
