// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimAnswer;
import io.dedup.testkit.server.Database;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2SchemaTest extends SchemaPromises {

  @Override
  Database newDatabase() {
    return Pools.h2();
  }

  @Override
  String createSchema(String name) {
    return "CREATE SCHEMA " + name;
  }

  /** H2 can pretend to be another database, and folds names as it is told. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
        ";MODE=MySQL",
        ";MODE=MariaDB;DATABASE_TO_LOWER=TRUE",
        ";DATABASE_TO_UPPER=FALSE"
      })
  void itsModesMakeNoDifference(String mode) {
    Database plain = Pools.h2();
    DataSource dataSource =
        pools.of(new Database(plain.jdbcUrl() + mode, plain.username(), plain.password()), 2);
    JdbcSchema.of(dataSource).createIfMissing();
    JdbcSchema.of(dataSource).validate();
    JdbcClaimStore store = JdbcClaimStore.builder(dataSource).build();
    assertThat(StorePromises.claim(store, StorePromises.request()))
        .isInstanceOf(ClaimAnswer.Acquired.class);
  }
}
