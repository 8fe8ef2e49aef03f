// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** An application whose Redis is a Cluster. */
class RedisClusterTest {

  @RegisterExtension static final ServerExtension<RedisCluster> CLUSTER = Servers.redisCluster();

  @Test
  void anEffectHappensOnceAndHealthTellsOfEachMaster() {
    IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());
    RedisCluster cluster = CLUSTER.get();
    Applications.bare()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues(
            "spring.data.redis.cluster.nodes=" + cluster.host() + ":" + cluster.port(),
            "spring.data.redis.timeout=30s")
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicator.class);
              assertThat(dedup.execute(key, c -> "x")).isInstanceOf(Outcome.Executed.class);
              assertThat(dedup.execute(key, c -> "x")).isInstanceOf(Outcome.Duplicate.class);
              assertThat(context.getBean(HealthIndicator.class).health())
                  .satisfies(
                      health -> {
                        assertThat(health.getStatus()).isEqualTo(Status.UP);
                        Map<?, ?> redis = (Map<?, ?>) health.getDetails().get("redis");
                        assertThat(redis.containsKey("risks")).isTrue();
                        assertThat(redis).hasSize(4);
                      });
            });
  }
}
