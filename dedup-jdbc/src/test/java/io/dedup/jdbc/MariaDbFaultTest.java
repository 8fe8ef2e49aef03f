// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.FaultProxy;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbFaultTest extends FaultPromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  FaultProxy newProxy() {
    return FaultProxy.before(server.get());
  }
}
