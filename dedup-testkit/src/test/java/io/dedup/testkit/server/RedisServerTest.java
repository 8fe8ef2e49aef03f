// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisServerTest {

  @RegisterExtension
  static final ServerExtension<RedisServer> redis =
      ServerExtension.own(() -> RedisServer.start("maxmemory 64mb"));

  @Test
  void answersAClient() {
    RedisClient client = RedisClient.create(redis.get().redisUri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      assertThat(connection.sync().ping()).isEqualTo("PONG");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void listensOnTheLoopbackAddressAlone() throws IOException {
    assertThat(ask("CONFIG", "GET", "bind")).isEqualTo("bind\n127.0.0.1");
  }

  @Test
  void takesDirectivesOfItsConfiguration() throws IOException {
    assertThat(ask("CONFIG", "GET", "maxmemory")).endsWith("67108864");
  }

  @Test
  void keepsItsDataAndItsPortWhenRestarted() throws IOException {
    String before = redis.get().redisUri();
    ask("SET", "stopped", "kept");
    redis.get().stop();
    redis.get().restart();
    assertThat(redis.get().redisUri()).isEqualTo(before);
    assertThat(ask("GET", "stopped")).isEqualTo("kept");
  }

  @Test
  void keepsWhatItHasAnsweredWhenKilled() throws IOException {
    ask("SET", "killed", "kept");
    redis.get().kill();
    assertThatThrownBy(() -> ask("PING")).isInstanceOf(IOException.class);
    redis.get().restart();
    assertThat(ask("GET", "killed")).isEqualTo("kept");
  }

  @Test
  void startsOnAnotherPortWhenTheChosenOneIsLostMeanwhile() throws IOException {
    try (ServerSocket rival = new ServerSocket(0, 0, Ports.loopback())) {
      int free = redis.get().port() + 1;
      Iterator<List<Integer>> choices =
          List.of(List.of(rival.getLocalPort()), List.of(free)).iterator();
      Node node =
          Ports.start(
              choices::next,
              ports -> {
                RedisConfig config = RedisConfig.server(ports.get(0), List.of());
                return ProcessNode.start(RedisRecipe.of(config), ports.get(0));
              });
      try (node) {
        assertThat(node.port()).isEqualTo(free);
      }
    }
  }

  @Test
  void saysWhyItDidNotStart() {
    assertThatThrownBy(() -> RedisServer.start("no-such-directive yes"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("redis ended while it started")
        .hasMessageContaining("no-such-directive");
  }

  @Test
  void runsTheRedisServerThatIsNamedOrSaysThatItIsNone() throws IOException {
    String property = RedisRecipe.EXECUTABLE_PROPERTY;
    System.setProperty(property, "/nowhere/redis-server");
    try {
      assertThatThrownBy(() -> RedisServer.start())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "dedup.test.redis.executable: was /nowhere/redis-server,"
                  + " must be the path of a redis-server");
      System.setProperty(property, RedisRecipe.embedded().toString());
      RedisServer.start().close();
    } finally {
      System.clearProperty(property);
    }
  }

  private static String ask(String... command) throws IOException {
    return Resp.ask(redis.get().host(), redis.get().port(), command);
  }
}
