// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What a server of databases does, whichever it is. */
abstract class DatabaseServerContract {

  abstract TestServer server();

  abstract Database createDatabase();

  abstract String version();

  @Test
  void isOfTheVersionThatItsArtefactNames() throws SQLException {
    assertThat(ask(createDatabase(), "SELECT version()")).contains(version());
  }

  @Test
  void eachDatabaseIsFresh() throws SQLException {
    execute(createDatabase(), "CREATE TABLE t (n INT PRIMARY KEY)");
    execute(createDatabase(), "CREATE TABLE t (n INT PRIMARY KEY)");
  }

  @Test
  void keepsItsDataAndItsPortWhenRestarted() throws SQLException {
    Database database = createDatabase();
    execute(database, "CREATE TABLE t (n INT PRIMARY KEY)");
    execute(database, "INSERT INTO t VALUES (7)");
    server().stop();
    server().restart();
    assertThat(ask(database, "SELECT n FROM t")).isEqualTo("7");
  }

  @Test
  void keepsWhatWasCommittedWhenKilled() throws SQLException {
    Database database = createDatabase();
    execute(database, "CREATE TABLE t (n INT PRIMARY KEY)");
    execute(database, "INSERT INTO t VALUES (8)");
    server().kill();
    assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
    server().restart();
    assertThat(ask(database, "SELECT n FROM t")).isEqualTo("8");
  }

  @Test
  void letsNobodyInWithoutThePassword() {
    Database database = createDatabase();
    Database guessed = new Database(database.jdbcUrl(), database.username(), "guessed");
    assertThatThrownBy(guessed::connect).isInstanceOf(SQLException.class);
  }

  @Test
  void canBeReachedThroughAProxy() throws SQLException {
    Database database = createDatabase();
    try (FaultProxy proxy = FaultProxy.before(server())) {
      Database proxied = database.through(proxy);
      assertThat(ask(proxied, "SELECT 1")).isEqualTo("1");
      proxy.refuse();
      assertThatThrownBy(proxied::connect).isInstanceOf(SQLException.class);
    }
    try (FaultProxy elsewhere = FaultProxy.before("db.example", 1)) {
      assertThatThrownBy(() -> database.through(elsewhere))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("db.example:1");
    }
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
