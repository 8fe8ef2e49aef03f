// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisSentinel;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

class OwnSentinelTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension
  static final ServerExtension<RedisSentinel> sentinel = ServerExtension.own(RedisSentinel::start);

  @Test
  void afterAFailoverWhatWasReplicatedIsKnownAndNobodyWasToldOtherwise() {
    LettuceConnectionFactory factory =
        Factories.lettuce(Factories.sentinel(sentinel.get()), Duration.ofSeconds(1));
    try {
      RedisClaimStore store = RedisClaimStore.builder(factory).build();
      List<IdempotencyKey> done = Use.newKeys(20);
      done.forEach(key -> Use.complete(store, key));
      RedisServer master = sentinel.get().master();
      awaitReplica(master);
      List<ClaimRequest> again = done.stream().map(Use::request).toList();

      master.kill();
      Exchange exchange =
          Awaitility.await()
              .atMost(PATIENCE)
              .ignoreExceptionsInstanceOf(StoreUnavailable.class)
              .until(() -> store.claim(again), answer -> true);

      assertThat(exchange.claimed()).allMatch(ClaimAnswer.Completed.class::isInstance);
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(StoreUnavailable.class)
          .untilAsserted(() -> Use.complete(store, Use.newKey()));
    } finally {
      factory.destroy();
    }
  }

  /** WAIT answers for what its own connection wrote, and so for all that was written before. */
  private static void awaitReplica(RedisServer master) {
    try (Jedis jedis = new Jedis(master.host(), master.port())) {
      jedis.set("marker", "written last");
      Awaitility.await().atMost(PATIENCE).until(() -> jedis.waitReplicas(1, 1_000) == 1);
    }
  }
}
