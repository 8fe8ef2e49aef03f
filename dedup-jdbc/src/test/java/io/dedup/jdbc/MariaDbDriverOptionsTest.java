// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.MariaDbServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbDriverOptionsTest extends DriverOptionsPromises {

  @RegisterExtension static final ServerExtension<MariaDbServer> server = Servers.mariadb();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  List<String> options() {
    return List.of(
        "rewriteBatchedStatements=true",
        "useServerPrepStmts=true",
        "useBulkStmts=true",
        "useAffectedRows=true");
  }
}
