// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebFluxOnPostgresTest extends WebFluxContract {

  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private @Nullable Database database;

  @Override
  String[] store() {
    Database own = database == null ? POSTGRES.get().createDatabase() : database;
    database = own;
    return Stream.concat(
            Stream.of("dedup.store=jdbc", "dedup.jdbc.schema=create"),
            Stream.of(Applications.databaseProperties(own)))
        .toArray(String[]::new);
  }
}
