// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunningServersTest {

  @Test
  void redisIsFoundByItsUrl() {
    RedisServer redis = RunningServers.redis("redis://cache.example:6380");
    assertThat(redis.redisUri()).isEqualTo("redis://cache.example:6380");
  }

  @Test
  void aClusterIsFoundByItsNodes() {
    RedisCluster cluster = RunningServers.redisCluster("redis://a:1,b:2");
    assertThat(cluster.addresses()).containsExactly("a:1", "b:2");
    assertThat(cluster.redisUri()).isEqualTo("redis://a:1,b:2");
  }

  @Test
  void sentinelsAreFoundByTheirUrl() {
    RedisSentinel sentinel = RunningServers.redisSentinel("redis-sentinel://a:1,b:2#main");
    assertThat(sentinel.masterName()).isEqualTo("main");
    assertThat(sentinel.redisUri()).isEqualTo("redis-sentinel://a:1,b:2#main");
  }

  @Test
  void kafkaIsFoundByItsBootstrapServers() {
    assertThat(RunningServers.kafka("a:9092,b:9092").bootstrapServers()).isEqualTo("a:9092,b:9092");
  }

  @Test
  void itsDatabasesAreDroppedAtTheEnd() throws SQLException {
    PostgresServer embedded = Servers.postgres().get();
    PostgresServer running =
        RunningServers.postgres(
            "jdbc:postgresql://%s:%d/postgres?user=%s&password=%s"
                .formatted(
                    embedded.host(), embedded.port(), embedded.username(), embedded.password()));
    Database database = running.createDatabase();
    Connection connection = database.connect();
    connection.close();
    running.end();
    assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
  }

  @Test
  void aServerThatIsNotOursCannotBeKilled() {
    RedisServer redis = RunningServers.redis("redis://cache.example:6380");
    assertThatThrownBy(redis::kill)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("cache.example:6380");
  }

  @ParameterizedTest
  @MethodSource("badPlaces")
  void aPlaceThatIsNoneIsRefusedByName(Function<String, TestServer> running, String message) {
    String place = message.replaceAll(".*: was (.*), must be.*", "$1");
    assertThatThrownBy(() -> running.apply(place))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static Arguments bad(Function<String, TestServer> running, String message) {
    return Arguments.of(running, message);
  }

  static Arguments[] badPlaces() {
    return new Arguments[] {
      bad(RunningServers::redis, "dedup.test.redis: was http://a:1, must be redis://host:port"),
      bad(
          RunningServers::redis,
          "dedup.test.redis: was redis://a:1,b:2, must be redis://host:port"),
      bad(RunningServers::redis, "dedup.test.redis: was a, must be redis://host:port"),
      bad(
          RunningServers::redisSentinel,
          "dedup.test.redis.sentinel: was redis://a:1,"
              + " must be redis-sentinel://host:port,host:port#name"),
      bad(
          RunningServers::postgres,
          "dedup.test.postgres: was jdbc:mariadb://a:1/x?...,"
              + " must be jdbc:postgresql://host:port/database?user=...&password=..."),
      bad(
          RunningServers::mariadb,
          "dedup.test.mariadb: was jdbc:mariadb://a:1/x,"
              + " must be jdbc:mariadb://host:port/database?user=...&password=..."),
      bad(RunningServers::kafka, "dedup.test.kafka: was a, must be host:port"),
    };
  }

  @Test
  void thePasswordIsNotShown() {
    assertThatThrownBy(
            () -> RunningServers.postgres("jdbc:postgresql://a:1/x?password=secret&usr=me"))
        .hasMessageContaining("jdbc:postgresql://a:1/x?...")
        .hasMessageNotContaining("secret");
  }
}
