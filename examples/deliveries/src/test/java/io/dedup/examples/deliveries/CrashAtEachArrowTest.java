// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A member's process dies at an arrow of the flow, and another takes its place. What the effects'
 * table holds then is what docs/guarantees.md says of the arrow.
 */
class CrashAtEachArrowTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();
  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();

  private static final int DELIVERIES = 8;
  private static Database database;

  @BeforeAll
  static void createDatabase() {
    database = postgres.get().createDatabase();
  }

  @ParameterizedTest(name = "{0}, {1}: {2} effects too many")
  @CsvSource({
    "LEASE_REDIS, BEFORE_CLAIM, 0",
    "LEASE_REDIS, CLAIM_STORED, 0",
    "LEASE_REDIS, BEFORE_EFFECT, 0",
    "LEASE_REDIS, EFFECT_DONE, 1",
    "LEASE_REDIS, COMPLETION_STORED, 0",
    "LEASE_JDBC, CLAIM_STORED, 0",
    "LEASE_JDBC, EFFECT_DONE, 1",
    "LEASE_JDBC, COMPLETION_STORED, 0",
  })
  void withALeaseAnEffectIsDoubledOnlyBetweenItAndItsCompletion(Mode mode, Arrow arrow, int doubled)
      throws Exception {
    Report report = crash(mode, arrow);
    assertThat(report.lost()).isZero();
    assertThat(report.executed()).isEqualTo(DELIVERIES);
    assertThat(report.doubled()).isEqualTo(doubled);
  }

  @ParameterizedTest(name = "{0}: exactly once")
  @EnumSource
  void inATransactionAnEffectIsNeitherLostNorDoubledWhereverTheProcessDies(Arrow arrow)
      throws Exception {
    Report report = crash(Mode.TRANSACTIONAL, arrow);
    assertThat(report.lost()).isZero();
    assertThat(report.executed()).isEqualTo(DELIVERIES);
    assertThat(report.doubled()).isZero();
  }

  private static Report crash(Mode mode, Arrow arrow) throws Exception {
    try (Stage stage =
        Stage.set(
            mode,
            Listener.PLAIN,
            kafka.get().bootstrapServers(),
            redis.get().redisUri(),
            Stage.url(database.jdbcUrl(), database.username(), database.password()))) {
      Run run = stage.run().with(redis.get().redisUri());
      publish(run);
      int status = MortalMember.live(run, arrow, 2);
      assertThat(status).as("the member died at the arrow").isEqualTo(137);
      Mortal immortal = new Mortal(arrow, Integer.MAX_VALUE);
      try (MemberParts successor = new MemberParts(run, immortal);
          GroupProgress progress = new GroupProgress(run)) {
        successor.consumer().start();
        await().atMost(Duration.ofSeconds(90)).until(() -> progress.done() == DELIVERIES);
      }
      try (Connection connection = stage.connect()) {
        return new Count(run).report(connection, 0, 1, 1);
      }
    }
  }

  private static void publish(Run run) {
    try (Publisher publisher = new Publisher(run)) {
      for (int i = 0; i < DELIVERIES; i++) {
        publisher.publish(
            new WebhookDelivery("d" + i, "test", "{}".getBytes(StandardCharsets.UTF_8)));
      }
      publisher.flush();
    }
  }
}
