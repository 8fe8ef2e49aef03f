// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresStoreTest extends StorePromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }
}
