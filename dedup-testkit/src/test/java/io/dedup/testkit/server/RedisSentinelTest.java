// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisSentinelTest {

  @RegisterExtension
  static final ServerExtension<RedisSentinel> sentinel =
      ServerExtension.own(() -> RedisSentinel.start());

  @Test
  void sentinelsNameTheMasterToAClient() {
    RedisClient client = RedisClient.create(sentinel.get().redisUri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      assertThat(connection.sync().info("replication")).contains("role:master");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void theReplicaIsPromotedWhenTheMasterIsKilled() {
    RedisServer before = sentinel.get().master();
    before.kill();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !sentinel.get().masterAddress().equals(before.address()));
    RedisServer promoted = sentinel.get().master();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                Resp.ask(promoted.host(), promoted.port(), "INFO", "replication")
                    .contains("role:master"));
    before.restart();
  }
}
