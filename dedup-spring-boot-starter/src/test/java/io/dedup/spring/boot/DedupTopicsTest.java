// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.MatchRetention;
import io.dedup.kafka.topic.Ttl;
import io.dedup.key.KeyExtractor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

class DedupTopicsTest {

  private static final String ORDERS = "dedup.kafka.topics.orders.";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup.kafka.topics.orders.v1.ttl",
        "dedup.kafka.topics[orders.v1].ttl",
      })
  void aNameWithDotsIsWrittenAsItIsOrInBrackets(String property) {
    assertThat(topics(property, "7d").all()).containsOnlyKeys("orders.v1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup.kafka.topics.orders.*.ttl", "dedup.kafka.topics[orders.*].ttl"})
  void aPatternIsWrittenAsItIsOrInBrackets(String property) {
    DedupTopics topics = topics(property, "7d");

    assertThat(topics.find("orders.eu"))
        .get()
        .extracting(TopicSettings::rule)
        .isEqualTo("orders.*");
    assertThat(topics.find("invoices")).isEmpty();
  }

  @Test
  void capitalsAndUnderscoresOfANameAreKept() {
    assertThat(topics("dedup.kafka.topics.Orders_EU-v1.ttl", "7d").all())
        .containsOnlyKeys("Orders_EU-v1");
  }

  @Test
  void aTopicMayBeNamedAsASettingIs() {
    DedupTopics topics =
        topics("dedup.kafka.topics.a.key.ttl", "7d", "dedup.kafka.topics.a.key.key", "header:id");

    assertThat(topics.all()).containsOnlyKeys("a.key");
    assertThat(described(topics.get("a.key"))).isEqualTo("header:id");
  }

  @ParameterizedTest
  @CsvSource({
    "orders, exact",
    "orders-eu, longer",
    "orders.x, shorter",
    "invoices, any",
  })
  void aNameComesBeforeTheLongestPatternAndThatBeforeShorterOnes(String topic, String header) {
    DedupTopics topics =
        topics(
            ORDERS + "key",
            "header:exact",
            "dedup.kafka.topics.orders-*.key",
            "header:longer",
            "dedup.kafka.topics.order*.key",
            "header:shorter",
            "dedup.kafka.topics.*.key",
            "header:any");

    assertThat(described(topics.get(topic))).isEqualTo("header:" + header);
  }

  @Test
  void twoPatternsThatAreEquallySpecialAreRefusedByName() {
    DedupTopics topics =
        topics("dedup.kafka.topics.orders*.ttl", "1d", "dedup.kafka.topics.*orders.ttl", "2d");

    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics.get("orders"))
        .withMessageContaining("topic orders: matched both")
        .withMessageContaining("orders*")
        .withMessageContaining("*orders")
        .satisfies(e -> assertThat(e.action()).contains("dedup.kafka.topics.orders"));
  }

  @Test
  void aRuleForNoTopicIsRefused() {
    DedupTopics topics = topics("dedup.kafka.topics.oders.ttl", "7d");

    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics.checkUsed(List.of("orders")))
        .withMessageContaining("topic rule 'oders': matched none of [orders]");
  }

  @Test
  void whatATopicLeavesUnsaidIsSaidByTheDefaults() {
    DedupTopics topics =
        topics(
            "dedup.kafka.defaults.key",
            "header:event-id",
            "dedup.kafka.defaults.on-missing-key",
            "process",
            "dedup.kafka.defaults.retention.held",
            "2h",
            "dedup.kafka.defaults.retention.outage",
            "3h",
            ORDERS + "mode",
            "transactional",
            ORDERS + "retention.outage",
            "6h");

    TopicSettings orders = topics.get("orders");
    assertThat(described(orders)).isEqualTo("header:event-id");
    assertThat(orders.onMissingKey()).isEqualTo(OnMissingKey.PROCESS);
    assertThat(orders.mode()).isEqualTo(Mode.TRANSACTIONAL);
    assertThat(orders.ttl())
        .isInstanceOfSatisfying(
            MatchRetention.class,
            match -> {
              assertThat(match.outage()).isEqualTo(Duration.ofHours(6));
              assertThat(match.held()).isEqualTo(Duration.ofHours(2));
            });
    assertThat(topics.get("others").mode()).isEqualTo(Mode.LEASE);
    assertThat(described(topics.get("others"))).isEqualTo("header:event-id");
  }

  @Test
  void everySettingIsRead() {
    DedupTopics topics =
        topics(
            ORDERS + "key", "header:event-id|offset",
            ORDERS + "ttl", "timestamp+P30D",
            ORDERS + "scope", "payments",
            ORDERS + "guard", "shadow",
            ORDERS + "lease", "5s",
            ORDERS + "max-processing", "3m",
            ORDERS + "fingerprint", "fields:/amount,/iban",
            ORDERS + "on-conflict", "ignore",
            ORDERS + "on-lease-expired", "hold",
            ORDERS + "on-failed", "report",
            ORDERS + "failed-ttl", "2h",
            ORDERS + "failed-back-off", "30s",
            ORDERS + "max-attempts", "3",
            ORDERS + "on-duplicate", "replay",
            ORDERS + "force-header", "x-force",
            ORDERS + "replay.originals[0]", "orders",
            ORDERS + "replay.originals[1]", "invoices",
            ORDERS + "replay.group", "billing");

    TopicSettings orders = topics.get("orders");
    Policy policy = Policy.defaults().with(orders.policy());
    assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(5));
    assertThat(policy.maxProcessing()).isEqualTo(Duration.ofMinutes(3));
    assertThat(policy.onLeaseExpired()).isEqualTo(OnLeaseExpired.HOLD);
    assertThat(policy.failedTtl()).isEqualTo(Duration.ofHours(2));
    assertThat(policy.failedBackOff()).isEqualTo(Duration.ofSeconds(30));
    assertThat(policy.maxAttempts()).isEqualTo(3);
    assertThat(orders.leaseIsSet()).isTrue();
    assertThat(orders.ttl()).isEqualTo(Ttl.fromTimestamp(Duration.ofDays(30)));
    assertThat(orders.guard()).isEqualTo(Guard.SHADOW);
    assertThat(orders.onDuplicate()).isEqualTo(OnDuplicate.REPLAY);
    assertThat(orders.forceHeader()).isEqualTo("x-force");
    TopicSettings.Replay replay = Objects.requireNonNull(orders.replay());
    assertThat(replay.from("orders-dlt").originals())
        .containsExactlyInAnyOrder("orders", "invoices");
    assertThat(replay.from("orders-dlt").group()).isEqualTo("billing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key|headr:id|key: was 'headr:id'",
        "key|json:a|key: was 'json:a'",
        "ttl|0s|ttl: was '0s'",
        "ttl|-5s|ttl: was '-5s'",
        "ttl|soon|ttl: was 'soon'",
        "ttl|10s|ttl: was PT10S, must not be below lease",
        "lease|0s|lease: was PT0S, must be at least",
        "lease|-3s|lease: was PT-3S, must be at least",
        "lease|abc|lease: was 'abc', must be a Duration",
        "mode|leese|mode: was 'leese', must be one of lease transactional tiered",
        "guard|on|guard: was 'on', must be one of enforce shadow off",
        "max-attempts|0|max-attempts: was 0, must be at least 1",
        "max-attempts|many|max-attempts: was 'many', must be a Integer",
        "on-missing-key|skip|on-missing-key: was 'skip', must be one of fail process",
        "fingerprint|xml|fingerprint: was 'xml'",
        "on-lease-expired|probe|on-lease-expired: was PROBE without a probe",
        "scope|''|scope: ",
        "force-header|' '|force-header: was blank",
        "replay.originals|or ders|replay: ",
      })
  void whatCannotBeIsRefusedByTheNameOfTheProperty(String setting, String value, String message) {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics(ORDERS + setting, value))
        .withMessageContaining("dedup.kafka.topics.orders." + message);
  }

  @Test
  void whatCannotBeInTheDefaultsIsRefusedByTheirName() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics("dedup.kafka.defaults.ttl", "0s"))
        .withMessageContaining("dedup.kafka.defaults.ttl: was '0s'");
  }

  @Test
  void anUnknownSettingIsRefusedWithTheOneThatWasMeant() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics(ORDERS + "on-mising-key", "fail"))
        .withMessage(
            "dedup.kafka.topics.orders.on-mising-key: 'on-mising-key' was not known, must be a"
                + " setting of a topic; did you mean 'on-missing-key'?")
        .satisfies(e -> assertThat(e.action()).contains("fingerprint", "replay.originals"));
  }

  @Test
  void aNameThatNoTopicCanHaveIsRefused() {
    assertThatExceptionOfType(ConfigurationRefused.class)
        .isThrownBy(() -> topics("dedup.kafka.topics[or ders].ttl", "7d"))
        .withMessageContaining("dedup.kafka.topics: ");
  }

  @Test
  void whatIsWrittenInASourceThatWinsHoldsWhicheverWayItIsWritten() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource("later", Map.of("dedup.kafka.topics[orders].max-attempts", 3)));
    environment
        .getPropertySources()
        .addLast(new MapPropertySource("earlier", Map.of(ORDERS + "maxAttempts", 5)));

    Policy policy = Policy.defaults().with(read(environment).get("orders").policy());
    assertThat(policy.maxAttempts()).isEqualTo(3);
  }

  @Test
  void placeholdersAreResolved() {
    DedupTopics topics = topics("my.header", "event-id", ORDERS + "key", "header:${my.header}");

    assertThat(described(topics.get("orders"))).isEqualTo("header:event-id");
  }

  @Test
  void topicsAreReadFromYamlAsPeopleWriteIt() throws IOException {
    String yaml =
        """
        dedup:
          kafka:
            defaults:
              key: header:event-id
            topics:
              orders.v1:
                ttl: retention
                mode: tiered
                retention:
                  copies: [orders.v1-retry-0, orders.v1-dlt]
              "audit-*":
                guard: shadow
                ttl: 7d
              "[a.key]":
                max-attempts: 3
        """;
    StandardEnvironment environment = new StandardEnvironment();
    new YamlPropertySourceLoader()
        .load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
        .forEach(environment.getPropertySources()::addLast);

    DedupTopics topics = read(environment);

    assertThat(topics.all()).containsOnlyKeys("orders.v1", "audit-*", "a.key");
    assertThat(topics.get("orders.v1").ttl())
        .isInstanceOfSatisfying(
            MatchRetention.class,
            match ->
                assertThat(match.copies())
                    .containsExactlyInAnyOrder("orders.v1-retry-0", "orders.v1-dlt"));
    assertThat(topics.get("audit-logins").guard()).isEqualTo(Guard.SHADOW);
    assertThat(described(topics.get("audit-logins"))).isEqualTo("header:event-id");
  }

  private static String described(TopicSettings settings) {
    KeyExtractor<ConsumerRecord<?, ?>> key = Objects.requireNonNull(settings.key());
    return key.describe();
  }

  private static DedupTopics topics(String... properties) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      map.put(properties[i], properties[i + 1]);
    }
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", map));
    return read(environment);
  }

  private static DedupTopics read(StandardEnvironment environment) {
    TopicProperties defaults =
        Binder.get(environment)
            .bindOrCreate("dedup.kafka.defaults", Bindable.of(TopicProperties.class));
    return DedupTopics.read(
        environment, defaults, new TopicReading(KeyExtractors::parse, Policy.defaults(), null));
  }
}
