// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import com.zaxxer.hikari.HikariConfig;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresFaultTest extends FaultPromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  FaultProxy newProxy() {
    return FaultProxy.before(server.get());
  }

  /** By default the driver waits for ten seconds for a cancelling that nobody answers. */
  @Override
  void driver(HikariConfig config) {
    config.addDataSourceProperty("cancelSignalTimeout", "1");
  }
}
