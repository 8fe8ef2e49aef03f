// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** The ways to one Redis. */
enum Driver {
  LETTUCE,
  LETTUCE_RESP2,
  JEDIS,
  REDISSON;

  /** Returns a started factory, which the caller closes. */
  Connections connect(String host, int port) {
    RedisStandaloneConfiguration configuration = Factories.standalone(host, port);
    return new Connections(
        switch (this) {
          case LETTUCE -> Factories.lettuce(configuration);
          case LETTUCE_RESP2 -> Factories.lettuceResp2(configuration);
          case JEDIS -> Factories.jedis(configuration);
          case REDISSON -> Factories.redisson(configuration);
        });
  }

  /**
   * A factory that is closed at the end of a test.
   *
   * @param factory the factory
   */
  record Connections(RedisConnectionFactory factory) implements AutoCloseable {

    RedisClaimStore store() {
      return RedisClaimStore.builder(factory).build();
    }

    @Override
    public void close() throws Exception {
      ((DisposableBean) factory).destroy();
    }
  }
}
