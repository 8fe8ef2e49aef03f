// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.dedup.Deduplicator;
import io.dedup.EffectProbe;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.State;
import io.dedup.claim.StoreTime;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application whose database is all it has. */
class DatabaseTest {

  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private static final String TRANSACTIONAL = "dedup.kafka.topics.orders.mode=transactional";

  private final IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());
  private Database database;

  @BeforeEach
  void create() {
    database = POSTGRES.get().createDatabase();
  }

  private ApplicationContextRunner application() {
    return Applications.withDatabase(database).withPropertyValues("spring.flyway.enabled=false");
  }

  private ApplicationContextRunner applicationWithTable() {
    return application().withPropertyValues("dedup.jdbc.schema=create");
  }

  @Test
  void aMissingTableStopsTheStartUnlessItMayBeMade() {
    application()
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("table dedup_claim: was not found"));
    applicationWithTable().run(context -> assertThat(context).hasNotFailed());
    application().run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void whereTheTableIsNotToBeLookedAtItIsMissedAtItsFirstUse() {
    application()
        .withPropertyValues("dedup.jdbc.schema=none")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(catchThrowable(() -> context.getBean(ClaimStore.class).find(key)))
                  .hasMessageContaining("was not found");
            });
  }

  @Test
  void flywayMakesTheTableBeforeItIsLookedAt() {
    Applications.withDatabase(database)
        .withPropertyValues("spring.flyway.locations=classpath:io/dedup/jdbc/{vendor}")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(execute(context)).isInstanceOf(Outcome.Executed.class);
              assertThat(
                      new JdbcTemplate(context.getBean(DataSource.class))
                          .queryForObject(
                              "SELECT description FROM flyway_schema_history WHERE version = '1'",
                              String.class))
                  .isEqualTo("dedup claim");
            });
  }

  @Test
  void anEffectHappensOnceInTwoApplicationsOnTheSameDatabase() {
    applicationWithTable()
        .run(context -> assertThat(execute(context)).isInstanceOf(Outcome.Executed.class));
    application()
        .run(context -> assertThat(execute(context)).isInstanceOf(Outcome.Duplicate.class));
  }

  @Test
  void anotherTableCanBeNamedAndNothingElseBecomesOne() {
    applicationWithTable()
        .withPropertyValues("dedup.jdbc.table=public.claims")
        .run(
            context -> {
              execute(context);
              assertThat(count(context, "public.claims")).isEqualTo(1);
            });
    applicationWithTable()
        .withPropertyValues("dedup.jdbc.table=claims; DROP TABLE x")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("table: was 'claims; DROP TABLE x'"));
  }

  @Test
  void aQueryTimeoutThatCannotBeIsRefused() {
    applicationWithTable()
        .withPropertyValues("dedup.jdbc.query-timeout=500ms")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("dedup.jdbc.query-timeout: was PT0.5S, must be"));
  }

  @Test
  void aTransactionalEffectIsStoredTogetherWithItsCompletionOrNotAtAll() {
    applicationWithTable()
        .withPropertyValues(TRANSACTIONAL)
        .run(
            context -> {
              JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
              jdbc.execute("CREATE TABLE payment (id varchar(100))");
              Deduplicator dedup =
                  context.getBean(Deduplicators.class).of(Mode.TRANSACTIONAL, "the test");

              assertThat(dedup.execute(key, c -> pay(jdbc, true)))
                  .isInstanceOf(Outcome.Failed.class);
              assertThat(count(context, "payment")).isZero();
              assertThat(count(context, "dedup_claim")).isZero();
              assertThat(dedup.execute(key, c -> pay(jdbc, false)))
                  .isInstanceOf(Outcome.Executed.class);
              assertThat(dedup.execute(key, c -> pay(jdbc, false)))
                  .isInstanceOf(Outcome.Duplicate.class);
              assertThat(count(context, "payment")).isEqualTo(1);
            });
  }

  @Test
  void aCompletionWithALeaseFollowsTheTransactionOfItsCaller() {
    applicationWithTable()
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicator.class);
              TransactionTemplate transaction =
                  new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
              transaction.executeWithoutResult(
                  status -> {
                    dedup.execute(key, c -> "receipt");
                    status.setRollbackOnly();
                  });

              assertThat(context.getBean(ClaimStore.class).find(key))
                  .get()
                  .extracting(r -> r.state())
                  .isEqualTo(State.RELEASED);
            });
  }

  @Test
  void transactionsOfAnotherDatabaseAreRefusedAtStart() {
    Database other = POSTGRES.get().createDatabase();
    DriverManagerDataSource elsewhere =
        new DriverManagerDataSource(other.jdbcUrl(), other.username(), other.password());
    applicationWithTable()
        .withBean("elsewhere", JdbcTransactionManager.class, () -> manager(elsewhere))
        .withPropertyValues(TRANSACTIONAL, "dedup.jdbc.transaction-manager=elsewhere")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining(
                        "dedup.jdbc.transaction-manager: must be the PlatformTransactionManager of"
                            + " the DataSource that claims are kept in"));
  }

  @Test
  void aProbeIsRefusedWhereEffectsAreTransactional() {
    ApplicationContextRunner probing =
        applicationWithTable()
            .withBean(EffectProbe.class, () -> probed -> new EffectProbe.Finding.Done(null))
            .withPropertyValues("dedup.policy.on-lease-expired=probe");
    probing
        .withPropertyValues(TRANSACTIONAL)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining(
                        "dedup.kafka.topics.orders.on-lease-expired: was probe, must be rerun"));
    probing
        .withPropertyValues(TRANSACTIONAL, "dedup.kafka.topics.orders.on-lease-expired=hold")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("dedup.policy.on-lease-expired: was PROBE"));
  }

  private static JdbcTransactionManager manager(DataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }

  @Test
  void expiredRecordsAreRemovedWhileTheApplicationRuns() {
    ManualTime time = ManualTime.atBeginning();
    applicationWithTable()
        .withBean(StoreTime.class, () -> time)
        .withPropertyValues("dedup.jdbc.purge.grace=0s", "dedup.jdbc.purge.interval=50ms")
        .run(
            context -> {
              execute(context);
              assertThat(count(context, "dedup_claim")).isEqualTo(1);
              time.advance(Duration.ofDays(8));
              await()
                  .atMost(Duration.ofSeconds(60))
                  .untilAsserted(() -> assertThat(count(context, "dedup_claim")).isZero());
            });
  }

  @Test
  void purgingCanBeSwitchedOffAndIsRefusedWhereItCannotBe() {
    applicationWithTable()
        .withPropertyValues("dedup.jdbc.purge.enabled=false")
        .run(context -> assertThat(context.getBean(PurgeLifecycle.class).isRunning()).isFalse());
    applicationWithTable()
        .run(context -> assertThat(context.getBean(PurgeLifecycle.class).isRunning()).isTrue());
    applicationWithTable()
        .withPropertyValues("dedup.jdbc.purge.batch-size=0")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("dedup.jdbc.purge.batch-size: was 0, must be 1 to"));
  }

  @Test
  void theInboxIsThereForThoseWhoWantIt() {
    applicationWithTable()
        .run(
            context -> {
              assertThat(context.getBean(JdbcInbox.class)).isNotNull();
              assertThat(context.getBean(ClaimStore.class))
                  .isNotSameAs(context.getBean(JdbcInbox.class));
            });
  }

  @Test
  void healthIsDownWithoutTheUniqueConstraint() {
    applicationWithTable()
        .run(
            context -> {
              HealthIndicator indicator = context.getBean(HealthIndicator.class);
              assertThat(indicator.health()).extracting(Health::getStatus).isEqualTo(Status.UP);
              new JdbcTemplate(context.getBean(DataSource.class))
                  .execute("ALTER TABLE dedup_claim DROP CONSTRAINT dedup_claim_pkey");
              assertThat(indicator.health())
                  .satisfies(
                      health -> {
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails().get("jdbc").toString())
                            .contains("was unique by nothing");
                      });
            });
  }

  private static String pay(JdbcTemplate jdbc, boolean thenFail) {
    jdbc.update("INSERT INTO payment VALUES ('1')");
    if (thenFail) {
      throw new IllegalStateException("after the write");
    }
    return "receipt";
  }

  private static Integer count(
      org.springframework.context.ApplicationContext context, String table) {
    return new JdbcTemplate(context.getBean(DataSource.class))
        .queryForObject("SELECT count(*) FROM " + table, Integer.class);
  }

  private Outcome<String> execute(ApplicationContext context) {
    return context.getBean(Deduplicator.class).execute(key, c -> "receipt");
  }
}
