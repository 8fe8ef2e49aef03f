// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The shared servers, wherever they come from: processes, containers, or running already. */
class ServersTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  @RegisterExtension
  static final ServerExtension<RedisServer> own = ServerExtension.own(() -> RedisServer.start());

  @Test
  void redisAnswers() throws IOException {
    RedisServer server = redis.get();
    assertThat(Resp.ask(server.host(), server.port(), "PING")).isEqualTo("PONG");
  }

  @Test
  void redisClusterIsWhole() throws IOException {
    for (RedisServer node : Servers.redisCluster().get().nodes()) {
      assertThat(Resp.ask(node.host(), node.port(), "CLUSTER", "INFO"))
          .contains("cluster_state:ok", "cluster_slots_ok:16384");
    }
  }

  @Test
  void sentinelsNameAMaster() throws IOException {
    Address master = Address.parse("master", Servers.redisSentinel().get().masterAddress());
    assertThat(Resp.ask(master.host(), master.port(), "ROLE")).startsWith("master");
  }

  @Test
  void postgresHasADatabaseForEachClass() throws SQLException {
    try (Connection connection = Servers.postgres().get().createDatabase().connect()) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
    }
  }

  @Test
  void mariadbHasADatabaseForEachClass() throws SQLException {
    try (Connection connection = Servers.mariadb().get().createDatabase().connect()) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MariaDB");
    }
  }

  @Test
  void kafkaCreatesTopics() {
    String topic = "topic-" + UUID.randomUUID();
    Servers.kafka().get().createTopic(topic, 3, Map.of("retention.ms", "60000"));
    assertThatThrownBy(() -> Servers.kafka().get().createTopic(topic, 3, Map.of()))
        .hasMessageContaining(topic);
  }

  @Test
  void allClassesGetTheSameServer() {
    assertThat(Servers.redis().get()).isSameAs(redis.get());
  }

  @Test
  void aSharedServerRefusesToBeEnded() throws IOException {
    assertThatThrownBy(() -> redis.get().kill())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("shared by all test classes")
        .hasMessageContaining("RedisServer.start()");
    assertThatThrownBy(() -> redis.get().stop()).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> redis.get().restart())
        .isInstanceOf(UnsupportedOperationException.class);
    redis.get().close();
    assertThat(Resp.ask(redis.get().host(), redis.get().port(), "PING")).isEqualTo("PONG");
  }

  @Test
  void aServerThatFailedToStartIsNotTriedAgain() {
    IllegalStateException failure = new IllegalStateException("no");
    int[] tries = {0};
    SharedServer<RedisServer> broken =
        SharedServer.of(
            () -> {
              tries[0]++;
              throw failure;
            });
    assertThatThrownBy(broken::get).isSameAs(failure);
    assertThatThrownBy(broken::get).hasCause(failure);
    assertThat(tries[0]).isEqualTo(1);
  }

  @Nested
  class AnOwnServer {

    @Test
    void isThatOfTheOuterClass() throws IOException {
      assertThat(Resp.ask(own.get().host(), own.get().port(), "SET", "seen", "yes"))
          .isEqualTo("OK");
    }
  }

  @Nested
  class AnOwnServerInASecondNestedClass {

    @Test
    void isNotEndedByTheFirst() throws IOException {
      assertThat(Resp.ask(own.get().host(), own.get().port(), "PING")).isEqualTo("PONG");
    }
  }
}
