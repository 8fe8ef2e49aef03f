// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Methods of beans whose effects happen once, on real stores. */
class IdempotentBeansTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  // The shop has methods that need a database and its transactions, so both have one.

  @Nested
  class OnRedis extends IdempotentBeansContract {
    @Override
    ConfigurableApplicationContext start() {
      return BeansApplication.onBoth(REDIS.get(), POSTGRES.get().createDatabase());
    }
  }

  @Nested
  class OnPostgres extends IdempotentBeansContract {
    @Override
    ConfigurableApplicationContext start() {
      return BeansApplication.onBoth(
          REDIS.get(), POSTGRES.get().createDatabase(), "dedup.store=jdbc");
    }
  }
}
