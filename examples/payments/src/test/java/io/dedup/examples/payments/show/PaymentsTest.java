// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** One run of the whole example, with a restart in the middle, and what can be seen afterwards. */
class PaymentsTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();
  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> postgres = Servers.postgres();

  private static final Plan PLAN = Plan.of(60, 0.3, 7);

  private static Stage stage;
  private static Show.Result result;

  /** Three servers and the application twice: a busy machine may need a while. */
  @BeforeAll
  @Timeout(300)
  static void run() {
    Database database = postgres.get().createDatabase();
    stage =
        new Stage(
            kafka.get().bootstrapServers(),
            redis.get().redisUri(),
            database.jdbcUrl(),
            database.username(),
            database.password());
    result = new Show(stage, PLAN, true).run(done -> {});
  }

  @Test
  void theBooksBalanceAfterDuplicatesRetriesPoisonAReplayAndARestart() {
    assertThat(result.unexpected()).isEmpty();
    assertThat(result.books().balances()).isEqualTo(result.books().expected());
    assertThat(result.report().lost()).isZero();
    assertThat(result.report().doubled()).isZero();
    assertThat(result.report().good()).isTrue();
    assertThat(result.report().published()).isGreaterThan(result.report().distinct());
  }

  @Test
  void aPaymentThatComesByKafkaAndByHttpIsBookedOnce() {
    assertThat(PLAN.bothWays()).isNotEmpty();
    for (Transfer one : PLAN.bothWays()) {
      assertThat(count("select count(*) from payment where id = ?", one.source())).isOne();
      assertThat(count("select count(*) from posting where source = ?", one.source())).isEqualTo(2);
    }
  }

  @Test
  void anOrderIsPaidOnceByConcurrentCallers() {
    assertThat(result.report().charges()).isEqualTo(Plan.ORDERS);
    assertThat(count("select count(*) from purchase_order where status = 'PAID'"))
        .isEqualTo(Plan.ORDERS - 1);
    assertThat(count("select count(*) from purchase_order where status = 'FAILED'")).isOne();
    for (Transfer order : PLAN.orders()) {
      assertThat(count("select count(*) from posting where source = ?", order.source()))
          .isEqualTo(order.amount() > CountingCardCompany.LIMIT ? 0 : 2);
    }
  }

  @Test
  void whatFailsAtFirstIsTriedAgainAndBookedOnce() {
    assertThat(result.report().failures()).isEqualTo(PLAN.unlucky().size());
    for (String unlucky : PLAN.unlucky()) {
      assertThat(count("select count(*) from posting where source = ?", unlucky)).isEqualTo(2);
    }
  }

  @Test
  void aDeadLetterIsBookedByItsReplayAndPoisonIsGivenUpAgain() {
    assertThat(count("select count(*) from payment where id = ?", PLAN.late().source())).isOne();
    // The late one once at least, and poison before and after the replay.
    assertThat(result.report().deadLetters()).isGreaterThanOrEqualTo(1 + 2L * PLAN.poison());
  }

  @Test
  void whatHttpHasBookedStaysBookedOnceAfterAnotherRestartWhoeverSendsItAgain() {
    Transfer done = PLAN.direct().get(0);
    Transfer other = new Transfer(done.source(), done.from(), done.to(), done.amount() + 1);
    Application.Outside outside =
        new Application.Outside(new UnreliableRiskCheck(Set.of()), new CountingCardCompany());
    try (Application application = new Application(stage, 0, outside);
        Topics topics = new Topics(stage);
        Client client = new Client(application.port())) {
      HttpResponse<String> again = client.post("/payments", done.source(), done.asPayment());
      assertThat(again.statusCode()).isEqualTo(201);
      assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
      assertThat(client.post("/payments", done.source(), other.asPayment()).statusCode())
          .as("the key of another request")
          .isEqualTo(422);
      assertThat(
              client.post("/payments", "a-key-of-another-client", other.asPayment()).statusCode())
          .as("the id of another payment")
          .isEqualTo(409);
      assertThat(client.get("/payment-requests/unknown").statusCode()).isEqualTo(404);
      assertThat(client.post("/payments", "short", done.asPayment()).statusCode()).isEqualTo(400);
      topics.publish(List.of(new Plan.Message("payments", done.asPayment())));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> topics.done("payments") == topics.published("payments"));
    }
    assertThat(count("select count(*) from payment where id = ?", done.source())).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--payments 0",
        "--duplicates 1",
        "--serve 70000",
        "--serve 0 --restart",
        "--unknown"
      })
  void badOptionsAreRefused(String options) {
    assertThat(Main.run(options.split(" "))).isEqualTo(2);
  }

  private static long count(String sql, Object... arguments) {
    Long count = new JdbcTemplate(stage.database()).queryForObject(sql, Long.class, arguments);
    return count == null ? 0 : count;
  }
}
