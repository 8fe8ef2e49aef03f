// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.RedisSentinel;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories as an application would configure them, started. */
final class Factories {

  /** Long enough for a busy machine, short enough for a test that waits for it to be over. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private Factories() {}

  static RedisConfiguration standalone(String host, int port) {
    return new RedisStandaloneConfiguration(host, port);
  }

  static RedisConfiguration cluster(RedisCluster cluster) {
    return new RedisClusterConfiguration(cluster.addresses());
  }

  static RedisConfiguration sentinel(RedisSentinel sentinel) {
    RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
    configuration.master(sentinel.masterName());
    for (String address : sentinel.sentinels()) {
      String[] parts = address.split(":", -1);
      configuration.sentinel(parts[0], Integer.valueOf(parts[1]));
    }
    return configuration;
  }

  static LettuceConnectionFactory lettuce(RedisConfiguration configuration) {
    return started(
        new LettuceConnectionFactory(
            configuration, LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build()));
  }

  static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }

  static JedisConnectionFactory jedis(RedisConfiguration configuration) {
    JedisClientConfiguration client =
        JedisClientConfiguration.builder().readTimeout(TIMEOUT).connectTimeout(TIMEOUT).build();
    JedisConnectionFactory factory =
        configuration instanceof RedisClusterConfiguration cluster
            ? new JedisConnectionFactory(cluster, client)
            : new JedisConnectionFactory((RedisStandaloneConfiguration) configuration, client);
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }
}
