// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The servers, each in a process of its own. Redis and PostgreSQL keep what they have answered when
 * their process is killed, and do not wait for the disk.
 */
final class Backends implements AutoCloseable {

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final KafkaServer kafka;
  private final RedisServer redis;
  private final PostgresServer postgres;
  private final Redis.Link redisLink;

  private Backends() {
    try {
      this.kafka = opened(KafkaServer.start("log.retention.check.interval.ms=86400000"));
      this.redis = opened(startRedis());
      // Room for the keys of one pass, and no checkpoint in the middle of it.
      this.postgres =
          opened(PostgresServer.start("shared_buffers = '1GB'", "max_wal_size = '8GB'"));
      this.redisLink = opened(Redis.connect(redis.redisUri()));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  static Backends start() {
    return new Backends();
  }

  /** Another Redis. Its append-only file is never rewritten, which would cost a core meanwhile. */
  static RedisServer startRedis() {
    return RedisServer.start("auto-aof-rewrite-percentage 0");
  }

  private <T extends AutoCloseable> T opened(T server) {
    started.push(server);
    return server;
  }

  String kafka() {
    return kafka.bootstrapServers();
  }

  RedisServer redis() {
    return redis;
  }

  PostgresServer postgres() {
    return postgres;
  }

  RedisCommands<String, String> redisCommands() {
    return redisLink.connection().sync();
  }

  /** Where the stores are, without anything between. */
  Stores stores() {
    return new Stores(redis.redisUri(), jdbc(postgres.host(), postgres.port()));
  }

  /** The URL of PostgreSQL at an address that leads to it. */
  String jdbc(String host, int port) {
    return "jdbc:postgresql://%s:%d/postgres?user=%s&password=%s&sslmode=disable"
        .formatted(host, port, postgres.username(), postgres.password());
  }

  /** Forgets all keys. */
  void clear() {
    redisCommands().flushall();
    update("drop schema public cascade; create schema public");
  }

  void update(String sql) {
    try (Connection connection = DriverManager.getConnection(stores().jdbc());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL refused: " + sql, e);
    }
  }

  String ask(String sql) {
    try (Connection connection = DriverManager.getConnection(stores().jdbc());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL refused: " + sql, e);
    }
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        System.err.println("a server was not closed: " + e);
      }
    }
  }
}
