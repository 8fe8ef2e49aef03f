// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A database of a server, and who may do everything in it. */
public record Database(String jdbcUrl, String username, String password) {

  /** Opens a connection of its own. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, username, password);
  }

  /**
   * The same database, reached through a proxy.
   *
   * @throws IllegalArgumentException if the proxy stands before another server
   */
  public Database through(FaultProxy proxy) {
    String there = "//" + proxy.targetHost() + ":" + proxy.targetPort() + "/";
    if (!jdbcUrl.contains(there)) {
      throw new IllegalArgumentException(
          "proxy: was before "
              + proxy.targetHost()
              + ":"
              + proxy.targetPort()
              + ", must be before the server of "
              + jdbcUrl);
    }
    String here = "//" + proxy.host() + ":" + proxy.port() + "/";
    return new Database(jdbcUrl.replace(there, here), username, password);
  }

  /** Without what may be secret: the password, and the options of the URL. */
  @Override
  public String toString() {
    int options = jdbcUrl.indexOf('?');
    return (options < 0 ? jdbcUrl : jdbcUrl.substring(0, options)) + " as " + username;
  }
}
