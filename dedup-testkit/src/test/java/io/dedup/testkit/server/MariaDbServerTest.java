// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbServerTest extends DatabaseServerContract {

  @RegisterExtension
  static final ServerExtension<MariaDbServer> mariadb =
      ServerExtension.own(() -> MariaDbServer.start());

  @Override
  TestServer server() {
    return mariadb.get();
  }

  @Override
  Database createDatabase() {
    return mariadb.get().createDatabase();
  }

  @Override
  String version() {
    return "11.4.";
  }
}
