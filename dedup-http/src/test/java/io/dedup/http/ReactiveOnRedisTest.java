// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.ClaimStore;
import io.dedup.redis.RedisClaimStore;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class ReactiveOnRedisTest extends ReactiveContract {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  private static LettuceConnectionFactory factory;

  @BeforeAll
  static void connect() {
    factory = new LettuceConnectionFactory(REDIS.get().host(), REDIS.get().port());
    factory.start();
  }

  @AfterAll
  static void disconnect() {
    factory.destroy();
  }

  @Override
  ClaimStore store() {
    return RedisClaimStore.builder(factory).prefix("http-" + key).time(time).build();
  }
}
