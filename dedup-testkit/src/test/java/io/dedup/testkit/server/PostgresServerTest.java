// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresServerTest extends DatabaseServerContract {

  @RegisterExtension
  static final ServerExtension<PostgresServer> postgres =
      ServerExtension.own(() -> PostgresServer.start());

  @Override
  TestServer server() {
    return postgres.get();
  }

  @Override
  Database createDatabase() {
    return postgres.get().createDatabase();
  }

  @Override
  String version() {
    return "PostgreSQL 18.";
  }
}
