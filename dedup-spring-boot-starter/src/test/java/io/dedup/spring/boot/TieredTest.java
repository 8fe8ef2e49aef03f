// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.TieredStore;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.Database;
import io.dedup.testkit.server.PostgresServer;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** An application with a database and a Redis. */
class TieredTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();
  @RegisterExtension static final ServerExtension<PostgresServer> POSTGRES = Servers.postgres();

  private final IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());
  private Database database;

  @BeforeEach
  void create() {
    database = POSTGRES.get().createDatabase();
  }

  private ApplicationContextRunner application() {
    return Applications.withBoth(REDIS.get(), database)
        .withPropertyValues(
            "spring.flyway.enabled=false",
            "dedup.jdbc.schema=create",
            "dedup.redis.prefix=tiered-" + UUID.randomUUID());
  }

  @Test
  void aRedisInFrontHasToKeepTokensSoTheCompactLayoutIsRefused() {
    application()
        .withPropertyValues("dedup.store=tiered", "dedup.redis.layout=compact")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("dedup.redis.layout: was compact, must be standard"));
  }

  @Test
  void theDatabaseDecidesAndRedisIsInFrontOfIt() {
    application()
        .withPropertyValues("dedup.store=tiered")
        .run(
            context -> {
              assertThat(context.getBean(ClaimStore.class)).isInstanceOf(TieredStore.class);
              Deduplicator dedup = context.getBean(Deduplicators.class).of(Mode.TIERED, "the test");
              assertThat(dedup.execute(key, c -> "x")).isInstanceOf(Outcome.Executed.class);
              assertThat(dedup.execute(key, c -> "x")).isInstanceOf(Outcome.Duplicate.class);
              assertThat(context.getBean(ClaimStore.class).find(key)).isPresent();
              assertThat(context.getBean(HealthIndicator.class).health())
                  .satisfies(h -> assertThat(h.getDetails()).containsKeys("redis", "jdbc"));
            });
  }

  @Test
  void redisIsAskedFirstOnceTheEffectIsCommitted() {
    application()
        .withPropertyValues("dedup.store=tiered")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicators.class).of(Mode.TIERED, "the test");
              dedup.execute(key, c -> "x");
              double inbox = operations(context, "inbox");
              await()
                  .atMost(Duration.ofSeconds(60))
                  .untilAsserted(() -> assertThat(operations(context, "front")).isGreaterThan(1));

              assertThat(dedup.execute(key, c -> "x")).isInstanceOf(Outcome.Duplicate.class);

              assertThat(operations(context, "inbox")).isEqualTo(inbox);
            });
  }

  @Test
  void anotherDatabaseBehindTheSameRedisHasItsOwnKeys() {
    ApplicationContextRunner first = application().withPropertyValues("dedup.store=tiered");
    first.run(context -> assertThat(executeTiered(context)).isInstanceOf(Outcome.Executed.class));
    first.run(context -> assertThat(executeTiered(context)).isInstanceOf(Outcome.Duplicate.class));

    database = POSTGRES.get().createDatabase();
    first
        .withPropertyValues(Applications.databaseProperties(database))
        .run(context -> assertThat(executeTiered(context)).isInstanceOf(Outcome.Executed.class));
  }

  @Test
  void theIdentityCanBeGivenByHandAndAnotherOneFindsNothingInFront() {
    ApplicationContextRunner application =
        application()
            .withPropertyValues("dedup.store=tiered")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    application
        .withPropertyValues("dedup.jdbc.identity=orders-7")
        .run(
            context -> {
              executeTiered(context);
              TieredStore tiers = (TieredStore) context.getBean(ClaimStore.class);
              assertThat(tiers.front().find(key)).isPresent();
            });
    application
        .withPropertyValues("dedup.jdbc.identity=orders-8")
        .run(
            context -> {
              TieredStore tiers = (TieredStore) context.getBean(ClaimStore.class);
              assertThat(tiers.front().find(key)).isEmpty();
              assertThat(executeTiered(context)).isInstanceOf(Outcome.Duplicate.class);
            });
  }

  @Test
  void withoutRedisATieredApplicationStartsIfItNeedNotBeVerifiedAndEffectsHappenOnce() {
    application()
        .withPropertyValues(
            "dedup.store=tiered", "dedup.redis.verify=false", "spring.data.redis.port=1")
        .run(
            context -> {
              assertThat(executeTiered(context)).isInstanceOf(Outcome.Executed.class);
              assertThat(executeTiered(context)).isInstanceOf(Outcome.Duplicate.class);
            });
  }

  @Test
  void aKeyOfATieredTopicThatIsReopenedRunsAgainThoughRedisKnewItAsDone() {
    for (String store : List.of("jdbc", "redis", "tiered")) {
      IdempotencyKey own = IdempotencyKey.of("payments", UUID.randomUUID().toString());
      application()
          .withPropertyValues("dedup.store=" + store, "dedup.kafka.topics.orders.mode=tiered")
          .withPropertyValues("management.endpoints.web.exposure.include=dedup")
          .run(
              context -> {
                Deduplicator dedup = context.getBean(Deduplicators.class).of(Mode.TIERED, "x");
                dedup.execute(own, c -> "x");
                assertThat(dedup.execute(own, c -> "x")).isInstanceOf(Outcome.Duplicate.class);

                DedupEndpoint.Change change =
                    context
                        .getBean(DedupEndpoint.class)
                        .decide(
                            SecurityContext.NONE,
                            "reopen",
                            own.id(),
                            own.scope(),
                            null,
                            null,
                            null,
                            null,
                            "ann",
                            "wrong account");

                assertThat(change.applied()).as(store).isTrue();
                assertThat(dedup.execute(own, c -> "x"))
                    .as(store)
                    .isInstanceOf(Outcome.Executed.class);
              });
    }
  }

  private Outcome<String> executeTiered(ApplicationContext context) {
    return context
        .getBean(Deduplicators.class)
        .of(Mode.TIERED, "the test")
        .execute(key, c -> "receipt");
  }

  private static double operations(ApplicationContext context, String store) {
    return context
        .getBean(MeterRegistry.class)
        .find("dedup.store.operations")
        .tag("store", store)
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  void aTopicMayBeTieredWhereOthersAreNot() {
    application()
        .withPropertyValues("dedup.store=redis", "dedup.kafka.topics.orders.mode=tiered")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Deduplicators dedups = context.getBean(Deduplicators.class);
              assertThat(dedups.of(Mode.TIERED, "x")).isNotSameAs(dedups.of(Mode.LEASE, "x"));
            });
  }
}
