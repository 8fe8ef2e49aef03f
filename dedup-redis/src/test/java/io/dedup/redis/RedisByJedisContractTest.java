// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.testkit.ClaimStoreContract;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The contract on one Redis, by Jedis. */
class RedisByJedisContractTest extends ClaimStoreContract {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private static JedisConnectionFactory jedis;

  @BeforeAll
  static void connect() {
    jedis = Factories.jedis(Factories.standalone(redis.get().host(), redis.get().port()));
  }

  @AfterAll
  static void disconnect() {
    jedis.destroy();
  }

  @Override
  protected ClaimStore createStore(StoreTime time) {
    return RedisClaimStore.builder(jedis).time(time).build();
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return RedisClaimStore.builder(jedis).time(time).build();
  }
}
