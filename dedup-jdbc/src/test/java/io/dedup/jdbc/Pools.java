// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedup.testkit.server.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Connection pools of a test class, closed after it. */
final class Pools implements AfterAllCallback {

  private final List<HikariDataSource> open = new ArrayList<>();

  /** A pool of this size on a database. */
  HikariDataSource of(Database database, int size) {
    return of(database, size, config -> {});
  }

  /** A pool of this size on a database, with more settings. */
  HikariDataSource of(Database database, int size, Consumer<HikariConfig> settings) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.username());
    config.setPassword(database.password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(10_000);
    config.setInitializationFailTimeout(-1);
    settings.accept(config);
    HikariDataSource pool = new HikariDataSource(config);
    open.add(pool);
    return pool;
  }

  /** A fresh H2 database in memory, gone with its last connection. */
  static Database h2() {
    return new Database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  /** Makes the table in a database. */
  static DataSource withTable(DataSource dataSource) {
    JdbcSchema.of(dataSource).createIfMissing();
    return dataSource;
  }

  /** Called after each nested class, too, which goes on with the pools of the outer one. */
  @Override
  public void afterAll(ExtensionContext context) {
    if (context.getRequiredTestClass().getEnclosingClass() != null) {
      return;
    }
    open.forEach(HikariDataSource::close);
    open.clear();
  }
}
