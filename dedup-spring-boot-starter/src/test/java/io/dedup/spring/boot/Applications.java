// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.RedisServer;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications that have only what a test gives them. */
final class Applications {

  private Applications() {}

  /** One that has no connection to anything. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ours()));
  }

  /** One that keeps its claims in the process. */
  static ApplicationContextRunner inMemory() {
    return bare().withPropertyValues("dedup.store=memory");
  }

  static ApplicationContextRunner withRedis(RedisServer redis) {
    return bare()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues(redisProperties(redis));
  }

  static ApplicationContextRunner withDatabase(Database database) {
    return bare()
        .withConfiguration(AutoConfigurations.of(ofDatabases()))
        .withPropertyValues(databaseProperties(database));
  }

  static ApplicationContextRunner withBoth(RedisServer redis, Database database) {
    return withDatabase(database)
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues(redisProperties(redis));
  }

  static String[] redisProperties(RedisServer redis) {
    return new String[] {
      "spring.data.redis.host=" + redis.host(),
      "spring.data.redis.port=" + redis.port(),
      "spring.data.redis.timeout=30s"
    };
  }

  static String[] databaseProperties(Database database) {
    return new String[] {
      "spring.datasource.url=" + database.jdbcUrl(),
      "spring.datasource.username=" + database.username(),
      "spring.datasource.password=" + database.password(),
      "spring.datasource.hikari.maximum-pool-size=4"
    };
  }

  /** What the jar names, so that one that is not named is not tested. */
  static Class<?>[] ours() {
    return Stream.of(
            ImportCandidates.load(AutoConfiguration.class, Applications.class.getClassLoader())
                .getCandidates()
                .toArray(String[]::new))
        .filter(name -> name.startsWith("io.dedup."))
        .map(Applications::loaded)
        .toArray(Class<?>[]::new);
  }

  private static Class<?>[] ofDatabases() {
    return new Class<?>[] {
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class,
      FlywayAutoConfiguration.class
    };
  }

  private static Class<?> loaded(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
