// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections to Redis, by Lettuce itself and as Spring Data has them. */
final class Redis {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private Redis() {}

  /** A connection that closes its client with it. */
  static final class Link implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private Link(String uri) {
      this.client = RedisClient.create(uri);
      this.connection = client.connect();
    }

    StatefulRedisConnection<String, String> connection() {
      return connection;
    }

    @Override
    public void close() {
      connection.close();
      client.shutdown(Duration.ZERO, TIMEOUT);
    }
  }

  static Link connect(String uri) {
    return new Link(uri);
  }

  /** Connected already. To be destroyed. */
  static LettuceConnectionFactory factory(String uri) {
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(
            LettuceConnectionFactory.createRedisConfiguration(RedisURI.create(uri)),
            LettuceClientConfiguration.builder()
                .commandTimeout(TIMEOUT)
                .shutdownTimeout(Duration.ZERO)
                .build());
    factory.setEagerInitialization(true);
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }
}
