// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/** Chooses where a shared server comes from: running already, a container, or a process of ours. */
final class Borrowed {

  private Borrowed() {}

  static RedisServer redis() {
    return RedisServer.start();
  }

  static RedisCluster redisCluster() {
    return RedisCluster.start();
  }

  static RedisSentinel redisSentinel() {
    return RedisSentinel.start();
  }

  static PostgresServer postgres() {
    return PostgresServer.start();
  }

  static MariaDbServer mariadb() {
    return MariaDbServer.start();
  }

  static KafkaServer kafka() {
    return KafkaServer.start();
  }
}
