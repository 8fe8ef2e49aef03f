// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.DedupListener;
import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.key.IdempotencyKey;
import io.dedup.key.KeyFormat;
import io.dedup.micrometer.DedupMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What is set up in which application. */
class ConditionsTest {

  private static final IdempotencyKey KEY = IdempotencyKey.of("payments", "4711");

  private static ApplicationContextRunner withH2() {
    return Applications.bare()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class))
        .withPropertyValues(
            "spring.datasource.generate-unique-name=true", "dedup.jdbc.schema=create");
  }

  /** Connects to nothing unless it is used. */
  private static ApplicationContextRunner withUnusedRedis(ApplicationContextRunner runner) {
    return runner.withBean(
        RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1));
  }

  @Test
  void anApplicationWithNothingToKeepClaimsInDoesNotStart() {
    Applications.bare()
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(ConfigurationRefused.class)
                    .hasMessageContaining("has no RedisConnectionFactory and no DataSource"));
  }

  @Test
  void anApplicationThatSwitchesUsOffHasNothingOfUs() {
    Applications.bare()
        .withPropertyValues("dedup.enabled=false")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(Deduplicator.class);
              assertThat(context.getBeanDefinitionNames()).noneMatch(n -> n.startsWith("dedup"));
            });
  }

  @Test
  void memoryIsEnoughForADeduplicator() {
    Applications.inMemory()
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicator.class);
              assertThat(dedup.execute(KEY, c -> "x")).isInstanceOf(Outcome.Executed.class);
              assertThat(dedup.execute(KEY, c -> "x")).isInstanceOf(Outcome.Duplicate.class);
              assertThat(context.getBean(Deduplicators.class).of(Mode.LEASE, "x")).isSameAs(dedup);
            });
  }

  @Test
  void theDeduplicatorIsClosedWithTheApplication() {
    Deduplicator[] seen = new Deduplicator[1];
    Applications.inMemory().run(context -> seen[0] = context.getBean(Deduplicator.class));

    assertThatThrownBy(() -> seen[0].execute(KEY, c -> "x"))
        .hasMessageContaining("the deduplicator is closed");
  }

  @Test
  void aDatabaseAloneIsTheStore() {
    withH2()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(ClaimStore.class)).isInstanceOf(JdbcClaimStore.class);
              assertThat(context.getBean(JdbcInbox.class)).isNotNull();
              context.getBean(Deduplicator.class).execute(KEY, c -> "x");
              assertThat(context.getBean(ClaimStore.class).find(KEY)).isPresent();
            });
  }

  @Test
  void aDatabaseAndARedisWithNoneChosenDoNotStart() {
    withUnusedRedis(withH2())
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(ConfigurationRefused.class)
                    .hasMessageStartingWith("dedup.store: was not set, must be redis, jdbc or"));
  }

  @Test
  void aRedisThatIsNotChosenIsNotConnectedTo() {
    withUnusedRedis(withH2())
        .withPropertyValues("dedup.store=jdbc")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(ClaimStore.class)).isInstanceOf(JdbcClaimStore.class);
            });
  }

  @Test
  void aDatabaseThatIsNotChosenIsNotLookedAt() {
    withH2()
        .withPropertyValues("dedup.store=memory", "dedup.jdbc.schema=validate")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theApplicationsOwnStoreComesBeforeEveryChoice() {
    InMemoryClaimStore own = InMemoryClaimStore.create();
    withUnusedRedis(withH2())
        .withBean("own", ClaimStore.class, () -> own)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(ClaimStore.class)).isSameAs(own);
              context.getBean(Deduplicator.class).execute(KEY, c -> "x");
              assertThat(own.find(KEY)).isPresent();
            });
  }

  @Test
  void theApplicationsOwnDeduplicatorAndKeyFormatAreUsed() {
    Deduplicator own = Deduplicator.builder(InMemoryClaimStore.create()).build();
    Applications.inMemory()
        .withBean(Deduplicator.class, () -> own)
        .withBean(KeyFormat.class, KeyFormat::readable)
        .run(
            context -> {
              assertThat(context.getBean(Deduplicator.class)).isSameAs(own);
              assertThat(context.getBean(KeyFormat.class)).isSameAs(KeyFormat.readable());
            });
  }

  @Test
  void everyListenerOfTheApplicationIsTold() {
    List<String> one = new ArrayList<>();
    List<String> two = new ArrayList<>();
    Applications.inMemory()
        .withBean("one", DedupListener.class, () -> e -> one.add(e.getClass().getSimpleName()))
        .withBean("two", DedupListener.class, () -> e -> two.add(e.getClass().getSimpleName()))
        .run(context -> context.getBean(Deduplicator.class).execute(KEY, c -> "x"));

    assertThat(one).contains("Claimed", "Decided");
    assertThat(two).isEqualTo(one);
  }

  @Test
  void aRegistryGetsTheMetersOfDeliveriesAndOfTheStore() {
    Applications.inMemory()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              context.getBean(Deduplicator.class).execute(KEY, c -> "x");
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("dedup.claims").tag("answer", "executed").counter().count())
                  .isEqualTo(1);
              assertThat(
                      registry
                          .get("dedup.store.operations")
                          .tags("store", "memory", "verb", "claim")
                          .timer()
                          .count())
                  .isEqualTo(1);
            });
  }

  @Test
  void metersCanBeSwitchedOffAndNeedARegistry() {
    Applications.inMemory().run(context -> assertThat(context).doesNotHaveBean(DedupMeters.class));
    Applications.inMemory()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues("dedup.metrics.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(DedupMeters.class));
  }

  @Test
  void keysAreCountedOnlyIfAskedFor() {
    ApplicationContextRunner application =
        Applications.inMemory().withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    application.run(
        context -> assertThat(context.getBean(KeyCounting.class).isRunning()).isFalse());
    application
        .withPropertyValues("dedup.metrics.store-keys-interval=1s")
        .run(
            context -> {
              context.getBean(Deduplicator.class).execute(KEY, c -> "x");
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              await()
                  .atMost(Duration.ofSeconds(60))
                  .untilAsserted(
                      () ->
                          assertThat(
                                  registry
                                      .get("dedup.store.keys")
                                      .tags("store", "memory", "state", "succeeded")
                                      .gauge()
                                      .value())
                              .isEqualTo(1));
            });
    application
        .withPropertyValues("dedup.metrics.store-keys-interval=10ms")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("dedup.metrics.store-keys-interval: was PT0.01S"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.springframework.data.redis",
        "org.springframework.jdbc",
        "org.springframework.transaction",
        "org.springframework.kafka",
        "org.springframework.web",
        "org.springframework.boot.actuate",
        "org.springframework.boot.health",
        "org.springframework.boot.sql",
        "io.micrometer.core",
        "io.lettuce",
      })
  void everyOptionalLibraryMayBeAbsent(String library) {
    Applications.inMemory()
        .withClassLoader(new FilteredClassLoader(library))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(Deduplicator.class).execute(KEY, c -> "x").isDone())
                  .isTrue();
            });
  }

  @Test
  void aDatabaseNeedsNoTransactionManager() {
    Applications.bare()
        .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
        .withPropertyValues(
            "spring.datasource.generate-unique-name=true", "dedup.jdbc.schema=create")
        .run(context -> assertThat(context).hasNotFailed());
  }
}
