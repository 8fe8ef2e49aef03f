// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresDriverOptionsTest extends DriverOptionsPromises {

  @RegisterExtension static final ServerExtension<PostgresServer> server = Servers.postgres();

  @Override
  Database newDatabase() {
    return server.get().createDatabase();
  }

  @Override
  List<String> options() {
    return List.of(
        "reWriteBatchedInserts=true",
        "prepareThreshold=1&binaryTransfer=true",
        "preferQueryMode=simple");
  }
}
