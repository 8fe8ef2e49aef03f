// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The servers of a run, all of them on loopback. */
final class Stage implements AutoCloseable {

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String kafka;
  private final String redis;
  private final DriverManagerDataSource database;

  /** Takes servers that run already. */
  Stage(String kafka, String redis, String jdbcUrl, String user, String password) {
    this.kafka = kafka;
    this.redis = redis;
    this.database = new DriverManagerDataSource(jdbcUrl, user, password);
  }

  /** Starts the servers. */
  static Stage start() {
    Deque<AutoCloseable> servers = new ArrayDeque<>();
    try {
      KafkaServer kafka = KafkaServer.start();
      servers.push(kafka);
      RedisServer redis = RedisServer.start();
      servers.push(redis);
      PostgresServer postgres = PostgresServer.start();
      servers.push(postgres);
      Stage stage =
          new Stage(
              kafka.bootstrapServers(),
              redis.redisUri(),
              postgres.jdbcUrl(),
              postgres.username(),
              postgres.password());
      stage.started.addAll(servers);
      return stage;
    } catch (RuntimeException e) {
      close(servers);
      throw e;
    }
  }

  String kafka() {
    return kafka;
  }

  DataSource database() {
    return database;
  }

  /** Returns what the application has to be told. */
  List<String> properties() {
    return List.of(
        "spring.kafka.bootstrap-servers=" + kafka,
        "spring.data.redis.url=" + redis,
        "spring.datasource.url=" + database.getUrl(),
        "spring.datasource.username=" + database.getUsername(),
        "spring.datasource.password=" + database.getPassword());
  }

  @Override
  public void close() {
    close(started);
  }

  private static void close(Deque<AutoCloseable> servers) {
    while (!servers.isEmpty()) {
      try {
        servers.pop().close();
      } catch (Exception e) {
        System.err.println("a server was not closed: " + e);
      }
    }
  }
}
