// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.EffectProbe;
import io.dedup.Policy;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.PurgeSchedule;
import io.dedup.redis.RedisClaimStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is said under {@code dedup}, topics aside. */
class PropertiesTest {

  @Test
  void theDefaultsAreThoseOfTheLibraryItself() {
    DedupProperties defaults =
        new Binder(new MapConfigurationPropertySource())
            .bindOrCreate("dedup", Bindable.of(DedupProperties.class));

    assertThat(defaults.policy().toPolicy(null)).isEqualTo(Policy.defaults());
    assertThat(defaults.redis().prefix()).isEqualTo(RedisClaimStore.DEFAULT_PREFIX);
    assertThat(defaults.jdbc().table()).isEqualTo(JdbcClaimStore.DEFAULT_TABLE);
    assertThat(defaults.jdbc().queryTimeout())
        .isEqualTo(Duration.ofSeconds(JdbcClaimStore.DEFAULT_QUERY_TIMEOUT_SECONDS));
    DedupProperties.Purge purge = defaults.jdbc().purge();
    assertThat(purge.grace()).isEqualTo(Duration.ofSeconds(PurgeSchedule.DEFAULT_GRACE_SECONDS));
    assertThat(purge.interval())
        .isEqualTo(Duration.ofSeconds(PurgeSchedule.DEFAULT_INTERVAL_SECONDS));
    assertThat(purge.batchSize()).isEqualTo(PurgeSchedule.DEFAULT_BATCH_SIZE);
    assertThat(purge.roundLimit())
        .isEqualTo(Duration.ofSeconds(PurgeSchedule.DEFAULT_ROUND_SECONDS));
  }

  @Test
  void thePolicyIsThatOfTheProperties() {
    Applications.inMemory()
        .withPropertyValues(
            "dedup.policy.lease=5s", "dedup.policy.ttl=3d", "dedup.command-timeout=2s")
        .run(
            context -> {
              Deduplicator dedup = context.getBean(Deduplicator.class);
              assertThat(dedup.policy().lease()).isEqualTo(Duration.ofSeconds(5));
              assertThat(dedup.policy().ttl()).isEqualTo(Duration.ofDays(3));
              assertThat(dedup.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dedup.policy.lease=0s|dedup.policy.lease: was PT0S, must be at least",
        "dedup.policy.lease=8d|dedup.policy.ttl: was PT168H, must not be below lease",
        "dedup.policy.ttl=-1s|dedup.policy.ttl: was PT-1S, must be at least",
        "dedup.policy.max-attempts=0|dedup.policy.max-attempts: was 0, must be at least 1",
        "dedup.policy.on-lease-expired=probe|dedup.policy.on-lease-expired: was PROBE without a probe",
        "dedup.command-timeout=0s|dedup.command-timeout: was PT0S, must be above PT0S",
        "dedup.owner=|dedup.owner: was blank",
        "dedup.key-format=hmac|dedup.key-secret: must be a secret of at least 16 bytes",
        "dedup.key-secret=0123456789abcdef|dedup.key-secret: was set, must not be unless",
        "dedup.memory.max-records=0|dedup.memory.max-records: was 0, must be at least 1",
        "dedup.kafka.defaults.ttl=0s|dedup.kafka.defaults.ttl: was '0s'",
        "dedup.kafka.topics.orders.mode=transactional|dedup.kafka.topics.orders.mode: was transactional",
        "dedup.kafka.defaults.mode=tiered|dedup.kafka.defaults.mode: was tiered",
      })
  void whatCannotBeStopsTheStartAndIsNamed(String property, String message) {
    Applications.inMemory()
        .withPropertyValues(property)
        .run(context -> assertThat(refusal(context.getStartupFailure())).startsWith(message));
  }

  private static String refusal(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ConfigurationRefused refused) {
        return String.valueOf(refused.getMessage());
      }
    }
    return "";
  }

  @Test
  void aProbeIsTheBeanOfThatType() {
    Applications.inMemory()
        .withBean(EffectProbe.class, () -> key -> new EffectProbe.Finding.Done(null))
        .withPropertyValues("dedup.policy.on-lease-expired=probe")
        .run(
            context -> {
              Policy policy = context.getBean(Deduplicator.class).policy();
              assertThat(policy.onLeaseExpired()).isEqualTo(OnLeaseExpired.PROBE);
              assertThat(policy.probe()).isNotNull();
            });
  }

  @Test
  void anUnknownPropertyStopsTheStartWithTheOneThatWasMeant() {
    Applications.inMemory()
        .withPropertyValues("dedup.polcy.lease=5s")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(ConfigurationRefused.class)
                    .hasMessageContaining(
                        "dedup.polcy.lease: was not known, must be a property of dedup; did you"
                            + " mean 'dedup.policy.lease'?"));
  }

  @Test
  void severalUnknownPropertiesAreToldAtOnce() {
    Applications.inMemory()
        .withPropertyValues("dedup.colour=red", "dedup.jdbc.purge.interva=5s")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .message()
                    .contains("dedup.colour: was not known", "'dedup.jdbc.purge.interval'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup.policy.maxAttempts=3", "dedup.policy.max_attempts=3"})
  void aKnownPropertyMayBeWrittenInEachOfBootsWays(String property) {
    Applications.inMemory()
        .withPropertyValues(property)
        .run(
            context ->
                assertThat(context.getBean(Deduplicator.class).policy().maxAttempts())
                    .isEqualTo(3));
  }

  @Test
  void systemPropertiesOfOthersAreLeftAlone() {
    Applications.inMemory()
        .withSystemProperties("dedup.test.redis.colour=red")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theSecretIsInNoText() {
    DedupProperties properties =
        new Binder(
                new MapConfigurationPropertySource(Map.of("dedup.key-secret", "0123456789abcdef")))
            .bind("dedup", Bindable.of(DedupProperties.class))
            .get();

    assertThat(properties.toString()).doesNotContain("0123456789abcdef");
  }

  @Test
  void whatIdesShowOfThePropertiesHasDescriptionsAndDefaults() throws Exception {
    try (var in = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      String metadata = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      var tree = new JsonMapper().readTree(metadata);
      assertThat(tree.get("properties").valueStream())
          .filteredOn(p -> p.get("name").asString().startsWith("dedup."))
          .hasSizeGreaterThan(50)
          .allSatisfy(p -> assertThat(p.path("description").asString("")).as("%s", p).isNotBlank());
      assertThat(tree.get("properties").valueStream())
          .filteredOn(p -> p.get("name").asString().equals("dedup.policy.lease"))
          .singleElement(InstanceOfAssertFactories.type(JsonNode.class))
          .satisfies(p -> assertThat(p.get("defaultValue").asString()).isEqualTo("30s"));
      assertThat(metadata).contains("dedup.kafka.topics", "dedup.kafka.defaults.ttl");
    }
  }
}
