// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresIdentityTest {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();
  @RegisterExtension static final Pools pools = new Pools();

  private final Database database = server.get().createDatabase();
  private final JdbcTemplate sql = new JdbcTemplate(Pools.withTable(pools.of(database, 1)));
  private final String user = "u" + UUID.randomUUID().toString().substring(0, 8);

  private JdbcClaimStore storeOfAnOrdinaryUser() {
    sql.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
    sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON dedup_claim TO " + user);
    Database theirs = new Database(database.jdbcUrl(), user, "secret");
    return JdbcClaimStore.builder(pools.of(theirs, 1)).build();
  }

  @Test
  void anOrdinaryUserReadsTheSame() {
    assertThat(storeOfAnOrdinaryUser().identity())
        .isEqualTo(JdbcClaimStore.builder(pools.of(database, 1)).build().identity());
  }

  @Test
  void aTableMadeAnewIsAnotherOne() {
    JdbcClaimStore store = JdbcClaimStore.builder(pools.of(database, 1)).build();
    String before = store.identity();
    sql.execute("DROP TABLE dedup_claim");
    Pools.withTable(pools.of(database, 1));

    assertThat(store.identity()).isNotEqualTo(before);
  }

  @Test
  void whoMayNotReadItIsToldWhatToPermit() {
    JdbcClaimStore store = storeOfAnOrdinaryUser();
    sql.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");

    assertThatThrownBy(store::identity)
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("identity of the database: could not be read")
        .hasMessageContaining("permit pg_control_system");
  }
}
