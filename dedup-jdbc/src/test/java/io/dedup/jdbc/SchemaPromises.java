// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What is checked of a table before the first claim, on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SchemaPromises {

  @RegisterExtension static final Pools pools = new Pools();

  private DataSource dataSource;
  private JdbcTemplate sql;

  /** The name of the table of a test. */
  private String table;

  abstract Database newDatabase();

  /** The statement that makes a schema. */
  abstract String createSchema(String name);

  @BeforeAll
  void open() {
    dataSource = pools.of(newDatabase(), 4);
    sql = new JdbcTemplate(dataSource);
  }

  @BeforeEach
  void nameTable() {
    table = "t_" + UUID.randomUUID().toString().replace('-', '_');
  }

  @Test
  void theTableIsMadeOnceAndWillDo() {
    JdbcSchema schema = JdbcSchema.of(dataSource, table);
    schema.createIfMissing();
    claim(table);
    schema.createIfMissing();
    schema.validate();

    assertThat(JdbcClaimStore.builder(dataSource).table(table).build().stats().live()).isEqualTo(1);
  }

  @Test
  void processesThatStartTogetherMakeItOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> starts = new ArrayList<>();
      CyclicBarrier together = new CyclicBarrier(4);
      for (int i = 0; i < 4; i++) {
        starts.add(
            threads.submit(
                () -> {
                  together.await(30, TimeUnit.SECONDS);
                  JdbcSchema.of(dataSource, table).createIfMissing();
                  return null;
                }));
      }
      for (Future<?> start : starts) {
        start.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    claim(table);
  }

  @Test
  void aTableMayBeInASchema() {
    sql.execute(createSchema("app_" + table));
    String name = "app_" + table + "." + table;
    JdbcSchema.of(dataSource, name).createIfMissing();
    claim(name);

    assertThatThrownBy(() -> claim(table)).isInstanceOf(StoreMisconfigured.class);
  }

  @Test
  void aNameThatIsAWordOfSqlIsAName() {
    JdbcSchema.of(dataSource, "select").createIfMissing();
    claim("select");
  }

  @Test
  void aMissingTableIsNamedAndHowToMakeIt() {
    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageStartingWith(
            "table " + table + ": was not found; make it with the scripts in io/dedup/jdbc/")
        .hasMessageContaining("createIfMissing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"purge_hour", "forced", "start_mark", "error"})
  void aColumnOfAnotherVersionThatIsMissingIsNamed(String column) {
    JdbcSchema.of(dataSource, table).createIfMissing();
    dropColumn(table, column);

    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageStartingWith(
            "table " + table + ": column " + column + " was not found, must be ")
        .hasMessageContaining("another version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"token VARCHAR(20)", "owner VARCHAR(20)"})
  void aColumnOfAnotherTypeIsNamedWithBoth(String columnAndType) {
    String column = columnAndType.substring(0, columnAndType.indexOf(' '));
    JdbcSchema.of(dataSource, table).createIfMissing();
    dropColumn(table, column);
    sql.execute("ALTER TABLE " + table + " ADD COLUMN " + columnAndType + " NOT NULL");

    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageMatching(
            "table "
                + table
                + ": column "
                + column
                + " was (character varying|varchar)\\(20\\), must be .*");
  }

  @Test
  void aColumnOfANewerVersionThatMustBeFilledIsNamed() {
    JdbcSchema.of(dataSource, table).createIfMissing();
    sql.execute("ALTER TABLE " + table + " ADD COLUMN region VARCHAR(20) NOT NULL");

    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("column region is none of ours")
        .hasMessageContaining("newer library");
  }

  @Test
  void aColumnMoreThatNeedNotBeFilledDoesNoHarm() {
    JdbcSchema.of(dataSource, table).createIfMissing();
    sql.execute("ALTER TABLE " + table + " ADD COLUMN note VARCHAR(20)");
    sql.execute("ALTER TABLE " + table + " ADD COLUMN region VARCHAR(20) DEFAULT 'x' NOT NULL");
    claim(table);
  }

  @Test
  void aTableWithoutAKeyIsRefused() {
    JdbcSchema.of(dataSource, table).createIfMissing();
    dropPrimaryKey(table);

    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageStartingWith(
            "table " + table + ": was unique by nothing, must have a primary key");
  }

  @Test
  void aKeyOfMoreColumnsIsRefused() {
    JdbcSchema.of(dataSource, table).createIfMissing();
    dropPrimaryKey(table);
    sql.execute("ALTER TABLE " + table + " ADD PRIMARY KEY (dedup_key, created)");

    assertThatThrownBy(() -> claim(table))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("was unique by [[created, dedup_key]]");
  }

  @Test
  void aUniqueConstraintOnTheKeyWillDo() {
    JdbcSchema.of(dataSource, table).createIfMissing();
    dropPrimaryKey(table);
    sql.execute(
        "ALTER TABLE "
            + table
            + " ADD CONSTRAINT u_"
            + table.substring(30)
            + " UNIQUE (dedup_key)");
    validate(table);
  }

  void dropPrimaryKey(String name) {
    sql.execute("ALTER TABLE " + name + " DROP PRIMARY KEY");
  }

  private void dropColumn(String name, String column) {
    sql.execute("ALTER TABLE " + name + " DROP COLUMN " + column);
  }

  void validate(String name) {
    JdbcSchema.of(dataSource, name).validate();
  }

  /** Claims a key with a store that has not seen the table before. */
  void claim(String name) {
    JdbcClaimStore store = JdbcClaimStore.builder(dataSource).table(name).build();
    IdempotencyKey key = IdempotencyKey.of("schema", UUID.randomUUID().toString());
    ClaimRequest request =
        ClaimRequest.builder(key, "me", Duration.ofSeconds(30), Duration.ofDays(1)).build();
    assertThat(store.claim(List.of(request)).claimed())
        .hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
  }

  JdbcTemplate sql() {
    return sql;
  }

  DataSource dataSource() {
    return dataSource;
  }

  String table() {
    return table;
  }
}
