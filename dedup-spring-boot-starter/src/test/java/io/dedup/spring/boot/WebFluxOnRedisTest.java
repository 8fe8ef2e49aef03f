// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebFluxOnRedisTest extends WebFluxContract {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  @Override
  String[] store() {
    return Stream.concat(
            Stream.of("dedup.store=redis"), Stream.of(Applications.redisProperties(REDIS.get())))
        .toArray(String[]::new);
  }
}
