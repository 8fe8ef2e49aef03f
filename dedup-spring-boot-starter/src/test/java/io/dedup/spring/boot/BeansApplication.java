// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.RedisServer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application with a shop, as Boot starts it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    excludeName = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
class BeansApplication {

  private static final String NO_DATABASE =
      "spring.autoconfigure.exclude="
          + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";
  private static final String NO_REDIS =
      "spring.autoconfigure.exclude="
          + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

  @Bean
  Shop.Floor floor() {
    return new Shop.Floor();
  }

  @Bean
  Shop shop(Shop.Floor floor, ObjectProvider<DataSource> dataSource) {
    return new Shop(floor, dataSource);
  }

  static ConfigurableApplicationContext onRedis(RedisServer redis, String... more) {
    return start(
        Stream.of(
            Stream.of(Applications.redisProperties(redis)),
            Stream.of(NO_DATABASE),
            Stream.of(more)));
  }

  static ConfigurableApplicationContext onDatabase(Database database, String... more) {
    return withEffects(
        start(
            Stream.of(
                Stream.of(Applications.databaseProperties(database)),
                Stream.of("dedup.jdbc.schema=create", "dedup.results.schema=create", NO_REDIS),
                Stream.of(more))));
  }

  static ConfigurableApplicationContext onBoth(
      RedisServer redis, Database database, String... more) {
    return withEffects(
        start(
            Stream.of(
                Stream.of(Applications.databaseProperties(database)),
                Stream.of(Applications.redisProperties(redis)),
                Stream.of("dedup.jdbc.schema=create", "dedup.store=redis"),
                Stream.of(more))));
  }

  private static ConfigurableApplicationContext start(Stream<Stream<String>> properties) {
    return new SpringApplicationBuilder(BeansApplication.class)
        .web(WebApplicationType.NONE)
        .properties(properties.flatMap(all -> all).toArray(String[]::new))
        .run();
  }

  private static ConfigurableApplicationContext withEffects(
      ConfigurableApplicationContext context) {
    new JdbcTemplate(context.getBean(DataSource.class))
        .execute("CREATE TABLE IF NOT EXISTS effect (what text NOT NULL)");
    return context;
  }
}
