// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.testkit.server.RedisCluster;
import io.dedup.testkit.server.RedisSentinel;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
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

  /** Long enough for a busy machine. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private Factories() {}

  static RedisStandaloneConfiguration standalone(String host, int port) {
    return new RedisStandaloneConfiguration(host, port);
  }

  static RedisClusterConfiguration cluster(RedisCluster cluster) {
    return new RedisClusterConfiguration(cluster.addresses());
  }

  static RedisSentinelConfiguration sentinel(RedisSentinel sentinel) {
    RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
    configuration.master(sentinel.masterName());
    for (String address : sentinel.sentinels()) {
      int colon = address.lastIndexOf(':');
      configuration.sentinel(
          address.substring(0, colon), Integer.valueOf(address.substring(colon + 1)));
    }
    return configuration;
  }

  /** By Lettuce with its defaults: one shared connection, and RESP3 where the server speaks it. */
  static LettuceConnectionFactory lettuce(RedisConfiguration configuration) {
    return lettuce(configuration, TIMEOUT);
  }

  static LettuceConnectionFactory lettuce(RedisConfiguration configuration, Duration timeout) {
    return started(
        new LettuceConnectionFactory(
            configuration, LettuceClientConfiguration.builder().commandTimeout(timeout).build()));
  }

  static LettuceConnectionFactory lettuceResp2(RedisConfiguration configuration) {
    ClientOptions options = ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build();
    return started(
        new LettuceConnectionFactory(
            configuration,
            LettuceClientConfiguration.builder()
                .clientOptions(options)
                .commandTimeout(TIMEOUT)
                .build()));
  }

  static JedisConnectionFactory jedis(RedisStandaloneConfiguration configuration) {
    return started(new JedisConnectionFactory(configuration, jedisClient()));
  }

  static JedisConnectionFactory jedis(RedisClusterConfiguration configuration) {
    return started(new JedisConnectionFactory(configuration, jedisClient()));
  }

  static JedisConnectionFactory jedis(RedisSentinelConfiguration configuration) {
    return started(new JedisConnectionFactory(configuration, jedisClient()));
  }

  static RedissonConnectionFactory redisson(RedisStandaloneConfiguration configuration) {
    Config client = new Config();
    client
        .useSingleServer()
        .setAddress("redis://" + configuration.getHostName() + ":" + configuration.getPort())
        .setTimeout((int) TIMEOUT.toMillis());
    RedissonConnectionFactory factory = new RedissonConnectionFactory(client);
    try {
      factory.afterPropertiesSet();
    } catch (Exception e) {
      throw new IllegalStateException("Redisson did not start", e);
    }
    return factory;
  }

  private static JedisClientConfiguration jedisClient() {
    return JedisClientConfiguration.builder().readTimeout(TIMEOUT).connectTimeout(TIMEOUT).build();
  }

  private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }

  private static JedisConnectionFactory started(JedisConnectionFactory factory) {
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }
}
