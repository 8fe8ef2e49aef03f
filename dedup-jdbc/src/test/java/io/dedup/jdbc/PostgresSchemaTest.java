// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreMisconfigured;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresSchemaTest extends SchemaPromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  String createSchema(String name) {
    return "CREATE SCHEMA " + name;
  }

  @Override
  void dropPrimaryKey(String name) {
    sql().execute("ALTER TABLE " + name + " DROP CONSTRAINT " + name + "_pkey");
  }

  @Test
  void aNameFoldsAsItDoesWithoutQuotes() {
    JdbcSchema.of(dataSource(), table().toUpperCase(Locale.ROOT)).createIfMissing();
    assertThat(sql().queryForObject("SELECT count(*) FROM " + table(), Long.class)).isZero();
    claim(table());
  }

  /** Each part would accept the key once. */
  @Test
  void aTablePartitionedByItsStateIsRefused() {
    makePartitioned("PRIMARY KEY (dedup_key, state)", "LIST (state)");
    assertThatThrownBy(() -> validate(table()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("was unique by [[dedup_key, state]]");
  }

  @Test
  void aTablePartitionedByItsKeyWillDo() {
    makePartitioned("PRIMARY KEY (dedup_key)", "HASH (dedup_key)");
    for (int i = 0; i < 2; i++) {
      sql()
          .execute(
              "CREATE TABLE "
                  + table()
                  + i
                  + " PARTITION OF "
                  + table()
                  + " FOR VALUES WITH (MODULUS 2, REMAINDER "
                  + i
                  + ")");
    }
    for (int i = 0; i < 10; i++) {
      claim(table());
    }
  }

  @Test
  void aKeyThatIsCheckedAtTheCommitIsRefused() {
    JdbcSchema.of(dataSource(), table()).createIfMissing();
    dropPrimaryKey(table());
    sql().execute("ALTER TABLE " + table() + " ADD UNIQUE (dedup_key) DEFERRABLE");
    assertThatThrownBy(() -> validate(table()))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("was deferrable or invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SQL_ASCII", "LATIN1"})
  void aDatabaseThatIsNotInUtf8IsRefused(String encoding) {
    String name = "in_" + encoding.toLowerCase(Locale.ROOT);
    sql().execute("CREATE DATABASE " + name + " ENCODING '" + encoding + "' TEMPLATE template0");
    Database utf8 = newDatabase();
    String url = utf8.jdbcUrl().replaceFirst("/dedup_[0-9a-f]+", "/" + name);
    DataSource other = new DriverManagerDataSource(url, utf8.username(), utf8.password());
    try {
      assertThatThrownBy(() -> JdbcSchema.of(other).createIfMissing())
          .isInstanceOf(StoreMisconfigured.class)
          .hasMessageStartingWith("database: its encoding was " + encoding + ", must be UTF8");
    } finally {
      sql().execute("DROP DATABASE " + name + " WITH (FORCE)");
    }
  }

  /** What the fill factor and the hour are for: no index is written again. */
  @Test
  void settlementsUpdateTheirRowsInPlace() {
    JdbcSchema.of(dataSource(), table()).createIfMissing();
    JdbcClaimStore store =
        JdbcClaimStore.builder(dataSource()).table(table()).time(ManualTime.atBeginning()).build();
    List<ClaimRequest> requests = Stream.generate(StorePromises::request).limit(20).toList();
    store.settle(StorePromises.completions(requests, store.claim(requests)));

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(updates("n_tup_upd")).isEqualTo(requests.size()));
    assertThat(updates("n_tup_hot_upd")).isEqualTo(requests.size());
  }

  private Long updates(String counter) {
    return sql()
        .queryForObject(
            "SELECT " + counter + " FROM pg_stat_user_tables WHERE relname = ?",
            Long.class,
            table());
  }

  private void makePartitioned(String key, String by) {
    JdbcSchema.of(dataSource(), table() + "m").createIfMissing();
    sql()
        .execute(
            "CREATE TABLE "
                + table()
                + " (LIKE "
                + table()
                + "m INCLUDING GENERATED, "
                + key
                + ") PARTITION BY "
                + by);
  }
}
