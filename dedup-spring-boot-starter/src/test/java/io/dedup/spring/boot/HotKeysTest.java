// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeyStore;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;

/** What a process remembers of keys that many ask for, by properties. */
class HotKeysTest {

  @RegisterExtension static final ServerExtension<RedisServer> REDIS = Servers.redis();

  private final IdempotencyKey key = IdempotencyKey.of("payments", UUID.randomUUID().toString());

  @Test
  void repeatsAreAnsweredWithoutRedisAndCounted() {
    Applications.withRedis(REDIS.get())
        .withConfiguration(
            AutoConfigurations.of(
                MetricsAutoConfiguration.class,
                CompositeMeterRegistryAutoConfiguration.class,
                SimpleMetricsExportAutoConfiguration.class))
        .withPropertyValues("dedup.hot-keys.enabled=true", "dedup.hot-keys.max-age=1m")
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicator.class);
              for (int i = 0; i < 12; i++) {
                dedup.execute(key, claim -> "receipt");
              }
              assertThat(
                      context
                          .getBean(MeterRegistry.class)
                          .get("dedup.local.answers")
                          .tag("answer", "completed")
                          .functionCounter()
                          .count())
                  .isEqualTo(10);
              context.getBean(ClaimStore.class).reopen(key, "ann", "again");
              assertThat(dedup.execute(key, claim -> "receipt"))
                  .isInstanceOf(Outcome.Executed.class);
            });
  }

  @Test
  void nothingIsRememberedUnlessItIsAskedFor() {
    Applications.inMemory()
        .run(
            context ->
                assertThat(context.getBean(ClaimStore.class)).isNotInstanceOf(HotKeyStore.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dedup.hot-keys.max-age=2m|dedup.hot-keys.max-age: was PT2M, must be PT0S to PT1M",
        "dedup.hot-keys.busy-window=2s|dedup.hot-keys.busy-window: was PT2S, must be PT0S to PT1S",
        "dedup.hot-keys.max-bytes=0|dedup.hot-keys.max-bytes: was 0, must be above 0",
      })
  void whatCannotBeStopsTheStartAndIsNamed(String property, String message) {
    Applications.inMemory()
        .withPropertyValues("dedup.hot-keys.enabled=true", property)
        .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
  }
}
