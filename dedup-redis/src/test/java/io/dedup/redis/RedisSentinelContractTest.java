// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreContract;
import io.dedup.testkit.server.RedisSentinel;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract behind Sentinel, by Lettuce and the older protocol, RESP2. */
class RedisSentinelContractTest extends ClaimStoreContract {

  @RegisterExtension static final ServerExtension<RedisSentinel> redis = Servers.redisSentinel();

  private static LettuceConnectionFactory lettuce;
  private static JedisConnectionFactory jedis;

  @BeforeAll
  static void connect() {
    lettuce = Factories.lettuceResp2(Factories.sentinel(redis.get()));
    jedis = Factories.jedis(Factories.sentinel(redis.get()));
  }

  @AfterAll
  static void disconnect() {
    lettuce.destroy();
    jedis.destroy();
  }

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return RedisClaimStore.builder(lettuce).time(time).build();
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return RedisClaimStore.builder(jedis).time(time).build();
  }
}
