// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** An application that has Jedis and no Lettuce; {@link OtherDriversTest} loads it so. */
public final class WithoutLettuce implements BiFunction<String, Integer, String> {

  /** Returns the answer to a claim of a new key. */
  @Override
  public String apply(String host, Integer port) {
    JedisConnectionFactory factory =
        new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port));
    factory.afterPropertiesSet();
    factory.start();
    try {
      RedisClaimStore store = RedisClaimStore.builder(factory).build();
      store.verify();
      ClaimRequest request =
          ClaimRequest.builder(
                  IdempotencyKey.of("without lettuce", Long.toString(System.nanoTime())),
                  "consumer-1",
                  Duration.ofSeconds(10),
                  Duration.ofMinutes(1))
              .build();
      ClaimAnswer answer = store.claim(List.of(request)).claimed().get(0);
      return answer.getClass().getSimpleName();
    } finally {
      factory.destroy();
    }
  }
}
