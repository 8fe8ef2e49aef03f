// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The plans that PostgreSQL keeps for any parameters, made while the table is small and nobody has
 * counted its rows: the worst moment, and the plans serve until the next ANALYZE.
 */
class PostgresPlansTest {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @RegisterExtension static final Pools pools = new Pools();

  private static final String TABLE = "\"dedup_claim\"";

  private static JdbcTemplate sql;

  @BeforeAll
  static void fillTable() {
    Database database = server.get().createDatabase();
    JdbcClaimStore store = JdbcClaimStore.builder(Pools.withTable(pools.of(database, 1))).build();
    store.claim(Stream.generate(StorePromises::request).limit(300).toList());
    // So that a statement with parameters can be explained without any.
    sql =
        new JdbcTemplate(
            pools.of(database, 1, c -> c.addDataSourceProperty("preferQueryMode", "simple")));
  }

  static Stream<String> statements() {
    PostgresDialect dialect = new PostgresDialect();
    String columns = String.join(", ", RecordRow.NAMES);
    Stream<String> reads =
        Stream.of(Dialect.Lock.values())
            .map(lock -> dialect.read(TABLE, columns, dialect.keys().sql(1), lock));
    String insert =
        dialect.insertAbsent(
            TABLE, NewClaim.INSERTED, NewClaim.VALUES, dialect.rows(NewClaim.COLUMNS).sql(1));
    String update = dialect.updateMany(TABLE, RecordRow.NAMES, dialect.rows(Change.COLUMNS).sql(1));
    return Stream.concat(reads, Stream.of(insert, update));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void eachKeyIsLookedUpInTheIndex(String statement) {
    List<String> plan =
        sql.queryForList("EXPLAIN (GENERIC_PLAN) " + numbered(statement), String.class);

    assertThat(String.join("\n", plan))
        .containsPattern("Index (Only )?Scan using dedup_claim_pkey")
        .doesNotContain("Seq Scan", "Hash", "Merge");
  }

  private static String numbered(String statement) {
    AtomicInteger parameter = new AtomicInteger();
    return Pattern.compile("\\?")
        .matcher(statement)
        .replaceAll(mark -> "\\$" + parameter.incrementAndGet());
  }
}
