// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.redis.RedisClaimStore;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application whose Redis is all it has. */
class RedisTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  private final IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());

  private static ApplicationContextRunner application() {
    return Applications.withRedis(REDIS.get());
  }

  @Test
  void anEffectHappensOnceInTwoApplicationsOnTheSameRedis() {
    application().run(context -> assertThat(execute(context)).isInstanceOf(Outcome.Executed.class));
    application()
        .run(context -> assertThat(execute(context)).isInstanceOf(Outcome.Duplicate.class));
  }

  @Test
  void thePrefixAndTheFormOfKeysAreThoseOfTheProperties() {
    String prefix = "shop-" + UUID.randomUUID();
    application()
        .withPropertyValues("dedup.redis.prefix=" + prefix, "dedup.key-format=readable")
        .run(
            context -> {
              execute(context);
              StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
              assertThat(redis.keys(prefix + "*")).singleElement().asString().contains(key.id());
            });
  }

  @Test
  void aPrefixThatCannotBeIsRefused() {
    application()
        .withPropertyValues("dedup.redis.prefix=a b")
        .run(
            context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("prefix: was"));
  }

  @Test
  void theLayoutIsThatOfTheProperties() {
    String prefix = "shop-" + UUID.randomUUID();
    application()
        .withPropertyValues("dedup.redis.prefix=" + prefix, "dedup.redis.layout=compact")
        .run(
            context -> {
              execute(context);
              StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
              assertThat(redis.keys(prefix + ":*")).isNotEmpty().allMatch(n -> n.contains("}#"));
            });
  }

  @Test
  void theCompactLayoutIsRefusedForKeysThatAreNoDigests() {
    application()
        .withPropertyValues("dedup.redis.layout=compact", "dedup.key-format=readable")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("dedup.redis.layout: was compact"));
  }

  @Test
  void aRedisThatDoesNotAnswerStopsTheStart() {
    Applications.bare()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=1")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining(StoreUnavailable.class.getName()));
  }

  @Test
  void whereTheStartIsNotToWaitForRedisItIsNotLookedAt() {
    Applications.bare()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues(
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.port=1",
            "dedup.redis.verify=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void ofSeveralConnectionsOneMustBeNamed() {
    ApplicationContextRunner two =
        application()
            .withBean("cache", RedisConnectionFactory.class, RedisTest::connection)
            .withBean("claims", RedisConnectionFactory.class, RedisTest::connection);

    two.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("dedup.redis.connection-factory: was not set")
                .hasMessageContaining("cache, claims"));
    two.withPropertyValues("dedup.redis.connection-factory=claim")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("dedup.redis.connection-factory: was 'claim'"));
    two.withPropertyValues("dedup.redis.connection-factory=claims")
        .run(context -> assertThat(execute(context)).isInstanceOf(Outcome.Executed.class));
  }

  @Test
  void theStoreCanBeInjectedByItsOwnType() {
    application()
        .run(
            context ->
                assertThat(context.getBean(RedisClaimStore.class))
                    .isSameAs(context.getBean(ClaimStore.class)));
  }

  @Test
  void healthTellsOfWhatRedisMayForget() {
    try (RedisServer forgetful =
        RedisServer.start("maxmemory-policy allkeys-lru", "appendonly no", "save \"\"")) {
      Applications.withRedis(forgetful)
          .run(
              context -> {
                Health health = health(context.getBean(HealthIndicator.class));
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails().get("redis").toString())
                    .contains("maxmemory-policy was allkeys-lru, should be noeviction")
                    .contains("appendonly was no, should be yes");
              });
    }
  }

  @Test
  void healthOfARedisThatKeepsWhatItAcknowledgesHasNoRisks() {
    try (RedisServer sound = RedisServer.start("maxmemory-policy noeviction", "appendonly yes")) {
      Applications.withRedis(sound)
          .run(
              context -> {
                Health health = health(context.getBean(HealthIndicator.class));
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(((Map<?, ?>) health.getDetails().get("redis")).get("risks"))
                    .asString()
                    .isEqualTo("[]");
              });
    }
  }

  @Test
  void healthIsDownWhileRedisIs() {
    try (RedisServer mortal = RedisServer.start()) {
      Applications.withRedis(mortal)
          .run(
              context -> {
                HealthIndicator indicator = context.getBean(HealthIndicator.class);
                assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                mortal.kill();
                assertThat(health(indicator).getStatus()).isEqualTo(Status.DOWN);
              });
    }
  }

  @Test
  void healthCanBeSwitchedOff() {
    application()
        .withPropertyValues("management.health.dedup.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }

  private static Health health(HealthIndicator indicator) {
    Health health = indicator.health();
    assertThat(health).isNotNull();
    return health;
  }

  private Outcome<String> execute(ApplicationContext context) {
    return context.getBean(Deduplicator.class).execute(key, c -> "receipt");
  }

  private static LettuceConnectionFactory connection() {
    RedisServer redis = REDIS.get();
    return new LettuceConnectionFactory(redis.host(), redis.port());
  }
}
