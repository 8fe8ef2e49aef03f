// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import com.zaxxer.hikari.HikariDataSource;
import io.dedup.claim.ClaimStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReactiveOnPostgresTest extends ReactiveContract {

  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private static HikariDataSource dataSource;

  @BeforeAll
  static void connect() {
    Database database = POSTGRES.get().createDatabase();
    dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(database.jdbcUrl());
    dataSource.setUsername(database.username());
    dataSource.setPassword(database.password());
    dataSource.setMaximumPoolSize(8);
    JdbcSchema.of(dataSource).createIfMissing();
  }

  @AfterAll
  static void disconnect() {
    dataSource.close();
  }

  @Override
  ClaimStore store() {
    return JdbcClaimStore.builder(dataSource).time(time).build();
  }
}
