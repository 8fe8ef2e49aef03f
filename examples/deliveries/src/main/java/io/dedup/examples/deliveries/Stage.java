// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import io.dedup.jdbc.JdbcSchema;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The servers of a run, those that run already or those started for it, and the run's own topics
 * and tables.
 */
final class Stage implements AutoCloseable {

  static final int PARTITIONS = 6;

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final Run run;

  private Stage(
      Mode mode,
      Listener listener,
      @Nullable String kafkaUrl,
      @Nullable String redisUrl,
      @Nullable String jdbcUrl) {
    String id = UUID.randomUUID().toString().replace("-", "").substring(0, 10);
    try {
      String kafka = kafkaUrl == null ? startKafka() : kafkaUrl;
      String redis = mode.needsRedis() ? (redisUrl == null ? startRedis() : redisUrl) : "";
      String jdbc = jdbcUrl == null ? startPostgres() : jdbcUrl;
      this.run = new Run(id, mode, listener, kafka, redis, jdbc);
      createTopics();
      createTables();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  static Stage set(
      Mode mode,
      Listener listener,
      @Nullable String kafkaUrl,
      @Nullable String redisUrl,
      @Nullable String jdbcUrl) {
    return new Stage(mode, listener, kafkaUrl, redisUrl, jdbcUrl);
  }

  Run run() {
    return run;
  }

  Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  private String startKafka() {
    KafkaServer kafka = KafkaServer.start();
    started.push(kafka);
    return kafka.bootstrapServers();
  }

  private String startRedis() {
    RedisServer redis = RedisServer.start();
    started.push(redis);
    return redis.redisUri();
  }

  private String startPostgres() {
    PostgresServer postgres = PostgresServer.start();
    started.push(postgres);
    return url(postgres.jdbcUrl(), postgres.username(), postgres.password());
  }

  /** Returns a URL that holds user and password, too. */
  static String url(String jdbcUrl, String user, String password) {
    if (jdbcUrl.contains("user=")) {
      return jdbcUrl;
    }
    String separator = jdbcUrl.contains("?") ? "&" : "?";
    return jdbcUrl + separator + "user=" + user + "&password=" + password;
  }

  private void createTopics() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", run.kafka()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(run.topic(), PARTITIONS, (short) 1),
                  new NewTopic(run.deadLetterTopic(), 1, (short) 1)))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("topics cannot be created", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void createTables() {
    JdbcSchema.of(dataSource(), run.claimTable()).createIfMissing();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table "
              + run.effectTable()
              + " (delivery text not null, event text not null, source_partition int not null,"
              + " source_offset bigint not null)");
    } catch (SQLException e) {
      throw new IllegalStateException("table cannot be created", e);
    }
  }

  private DriverManagerDataSource dataSource() {
    return new DriverManagerDataSource(run.jdbc());
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
