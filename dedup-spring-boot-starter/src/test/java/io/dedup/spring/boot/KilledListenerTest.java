// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The process of a listener is killed while it works, and another takes its place. */
class KilledListenerTest {

  @RegisterExtension static final ServerExtension<KafkaServer> KAFKA = Servers.kafka();
  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private static final int ORDERS = 120;

  /**
   * With a lease, what the process had done of its last poll and not stored as done is done once
   * more. In a transaction nothing is.
   */
  @ParameterizedTest
  @CsvSource({"record, lease, 10", "batch, transactional, 0"})
  void noEffectIsLostAndNoMoreAreDoubledThanTheModeSays(String listener, String mode, int doubled)
      throws Exception {
    List<String> effects = kill(listener, mode);
    assertThat(effects).containsAll(orders());
    assertThat(effects.size() - ORDERS).as("doubled").isBetween(0, doubled);
  }

  private static List<String> orders() {
    return IntStream.range(0, ORDERS).mapToObj(i -> "order-" + i).toList();
  }

  /** Returns the effects that there are when the successor has come to the end. */
  private static List<String> kill(String listener, String mode) throws Exception {
    Database database = POSTGRES.get().createDatabase();
    JdbcTemplate sql =
        new JdbcTemplate(
            new DriverManagerDataSource(
                database.jdbcUrl(), database.username(), database.password()));
    sql.execute("CREATE TABLE effect (delivery text)");
    try (OrdersTopic topic = new OrdersTopic(KAFKA.get())) {
      List<String> properties = properties(listener, mode, topic, database);
      for (int i = 0; i < ORDERS; i++) {
        topic.send(i % 2, "id-" + i, "order-" + i);
        topic.send(i % 2, "id-" + i, "order-" + i);
      }
      topic.flush();
      Process process = MortalListener.start(properties);
      try {
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(5))
            .until(() -> count(sql) > 20);
      } finally {
        // SIGKILL: no hook runs, no buffer is written.
        process.destroyForcibly().waitFor();
      }
      assertThat(count(sql)).as("effects when it was killed").isLessThan(ORDERS);
      String[] arguments = properties.stream().map(one -> "--" + one).toArray(String[]::new);
      try (ConfigurableApplicationContext successor =
          SpringApplication.run(MortalListener.class, arguments)) {
        topic.awaitEnd();
      }
    }
    return sql.queryForList("SELECT delivery FROM effect", String.class);
  }

  private static int count(JdbcTemplate sql) {
    return sql.queryForObject("SELECT count(*) FROM effect", Integer.class);
  }

  private static List<String> properties(
      String listener, String mode, OrdersTopic topic, Database database) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of(topic.properties(mode)));
    all.addAll(List.of(Applications.databaseProperties(database)));
    all.addAll(List.of(Applications.redisProperties(REDIS.get())));
    all.add("dedup.store=" + (mode.equals("lease") ? "redis" : "jdbc"));
    all.add("dedup.jdbc.schema=create");
    all.add("dedup.redis.prefix=killed-" + database.jdbcUrl().hashCode());
    // So that what was in hand need not be waited for.
    all.add("dedup.policy.lease=2s");
    // A place of its own in the group, so that its successor need not wait for the session to end.
    all.add("spring.kafka.consumer.properties.group.instance.id=the-one");
    all.add("spring.main.web-application-type=none");
    all.add("spring.main.banner-mode=off");
    all.add("spring.flyway.enabled=false");
    all.add("test.record-listener=" + listener.equals("record"));
    all.add("test.batch-listener=" + listener.equals("batch"));
    return all;
  }
}
