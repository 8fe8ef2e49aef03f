// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNameTest {

  private static final String LONGEST = "a".repeat(63);

  @Test
  void aNameMayHaveASchema() {
    assertThat(TableName.of("app.dedup")).isEqualTo(new TableName("app", "dedup"));
    assertThat(TableName.of("dedup")).isEqualTo(new TableName(null, "dedup"));
    assertThat(TableName.of(LONGEST + "." + LONGEST)).hasToString(LONGEST + "." + LONGEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "app.",
        ".dedup",
        "a.b.c",
        "x; drop table y",
        "\"Mixed\"",
        "`x`",
        "x y",
        "1x",
        "x-y",
        "x'",
        "x\u0000",
        "dédup",
        "x--",
        "x/*",
        "х",
        "x\n"
      })
  void whatIsNoPlainIdentifierIsRefused(String name) {
    assertThatThrownBy(() -> JdbcClaimStore.builder(new NoDataSource()).table(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("table: was '" + name + "', must be table or schema.table");
  }

  @Test
  void aPartThatPostgresWouldCutIsRefused() {
    assertThatThrownBy(() -> TableName.of(LONGEST + "a")).hasMessageContaining("at most 63");
    assertThatThrownBy(() -> TableName.of(LONGEST + "a.b")).hasMessageContaining("at most 63");
  }

  /** A name means what it means unquoted: only the database knows how it folds that. */
  @Test
  void eachDatabaseFoldsAndQuotesInItsOwnWay() {
    TableName name = TableName.of("App.Dedup");
    assertThat(new PostgresDialect().quoted(name)).isEqualTo("\"app\".\"dedup\"");
    assertThat(new MariaDbDialect(0).quoted(name)).isEqualTo("`App`.`Dedup`");
  }
}
