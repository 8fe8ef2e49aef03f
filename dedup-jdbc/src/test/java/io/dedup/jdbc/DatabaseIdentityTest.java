// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.testkit.server.Database;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** What tells a database, and the timeline of it, from others. */
class DatabaseIdentityTest extends OnEachDatabase {

  private static String identity(DataSource dataSource) {
    return JdbcClaimStore.builder(dataSource).build().identity();
  }

  @Test
  void aDatabaseHasTheSameIdentityForEveryProcess() {
    Database database = newDatabase();
    String one = identity(Pools.withTable(pools.of(database, 1)));

    assertThat(identity(pools.of(database, 1))).isEqualTo(one).matches("[0-9a-f]{16}");
  }

  @Test
  void anotherDatabaseOfTheServerHasAnother() {
    assertThat(identity(Pools.withTable(pools.of(newDatabase(), 1))))
        .isNotEqualTo(identity(Pools.withTable(pools.of(newDatabase(), 1))));
  }

  @Test
  void rowsComeAndGoWithoutChangingIt() {
    DataSource dataSource = Pools.withTable(pools.of(newDatabase(), 1));
    String before = identity(dataSource);
    new JdbcTemplate(dataSource).update("DELETE FROM dedup_claim");

    assertThat(identity(dataSource)).isEqualTo(before);
  }
}
