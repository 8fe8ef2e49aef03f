// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A broker whose defaults are not Kafka's, so that none can be mistaken for what was read. */
class TopicTtlsBrokerTest {

  @RegisterExtension
  static final ServerExtension<KafkaServer> kafka =
      ServerExtension.own(
          () ->
              KafkaServer.start(
                  "log.retention.ms=7200000",
                  "log.roll.ms=1800000",
                  "log.retention.check.interval.ms=60000",
                  "log.message.timestamp.after.max.ms=120000"));

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration OF_BROKER =
      Duration.ofHours(2).plusMinutes(30).plusMinutes(2).plusMinutes(1).plusDays(3);

  private static Admin admin;

  private final String topic = "ttl-" + UUID.randomUUID();

  @BeforeAll
  static void connect() {
    admin = Admin.create(Map.of("bootstrap.servers", kafka.get().bootstrapServers()));
  }

  @AfterAll
  static void close() {
    admin.close();
  }

  private static TopicTtls ttls(Ttl ttl) {
    return TopicTtls.of(TopicRules.of(Map.of("*", ttl)), admin, Duration.ofSeconds(10));
  }

  private static Duration ttl(TopicTtls ttls, String topic, long timestampMs) {
    ConsumerRecord<String, String> record =
        new ConsumerRecord<>(
            topic,
            0,
            0,
            timestampMs,
            TimestampType.CREATE_TIME,
            0,
            0,
            null,
            null,
            new RecordHeaders(),
            Optional.empty());
    return ttls.ttl(new RecordSource("g", topic, null, false), record, NOW);
  }

  private Duration resolved(Ttl ttl, Map<String, String> config) {
    NewTopics.create(admin, topic, config);
    TopicTtls ttls = ttls(ttl);
    ttls.resolve(List.of(topic));
    return ttl(ttls, topic, 0);
  }

  private static void alter(String topic, String name, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get(10, TimeUnit.SECONDS);
  }

  @Test
  void aTopicWithoutSettingsOfItsOwnHasThoseOfTheBroker() {
    assertThat(resolved(Ttl.matchRetention(), Map.of())).isEqualTo(OF_BROKER);
  }

  @Test
  void aTopicsOwnSettingsComeFirst() {
    assertThat(
            resolved(
                Ttl.matchRetention(),
                Map.of(
                    "retention.ms", "86400000",
                    "segment.ms", "3600000",
                    "message.timestamp.after.max.ms", "600000")))
        .isEqualTo(Duration.ofDays(1).plusHours(1).plusMinutes(10).plusMinutes(1).plusDays(3));
  }

  @Test
  void ourOwnTermsAreAddedAsTheyWereSet() {
    assertThat(
            resolved(
                Ttl.matchRetention()
                    .outage(Duration.ofMinutes(1))
                    .held(Duration.ofMinutes(2))
                    .producerHorizon(Duration.ofMinutes(4))
                    .checkInterval(Duration.ofMinutes(8)),
                Map.of("message.timestamp.type", "LogAppendTime")))
        .isEqualTo(Duration.ofHours(2).plusMinutes(30).plusMinutes(15));
  }

  @Test
  void recordsThatNeverGoHaveKeysThatNeverGo() {
    for (Map<String, String> config :
        List.of(
            Map.of("cleanup.policy", "compact"),
            Map.of("cleanup.policy", "compact,delete"),
            Map.of("retention.ms", "-1"))) {
      String name = topic + config.hashCode();
      NewTopics.create(admin, name, config);
      TopicTtls ttls = ttls(Ttl.matchRetention());
      ttls.resolve(List.of(name));
      assertThat(ttl(ttls, name, 0)).as("%s", config).isEqualTo(Duration.ofDays(36_500));
    }
  }

  @Test
  void aDeadLetterTopicThatKeepsItsRecordsForLongerDecides() {
    NewTopics.create(admin, topic + "-dlt", Map.of("retention.ms", "864000000"));
    assertThat(resolved(Ttl.matchRetention().copies(topic + "-dlt"), Map.of()))
        .isEqualTo(Duration.ofDays(10).plusMinutes(30).plusMinutes(2).plusMinutes(1).plusDays(2));
  }

  @Test
  void recordsDatedBeyondTheBoundOfATopicWithoutALimitAreKeptForLongerAndCounted() {
    NewTopics.create(
        admin, topic, Map.of("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
    TopicTtls ttls = ttls(Ttl.matchRetention());
    ttls.resolve(List.of(topic));
    Duration bound = OF_BROKER.minusMinutes(2).plusDays(1);
    assertThat(ttl(ttls, topic, NOW.plus(Duration.ofDays(1)).toEpochMilli())).isEqualTo(bound);
    assertThat(ttl(ttls, topic, NOW.plus(Duration.ofDays(3)).toEpochMilli()))
        .isEqualTo(bound.plusDays(2));
    assertThat(ttls.isDatedTooFarAhead(dated(Duration.ofDays(1)), NOW)).isFalse();
    assertThat(ttls.isDatedTooFarAhead(dated(Duration.ofDays(3)), NOW)).isTrue();
  }

  @Test
  void whereTheBrokerSetsTheLimitADateBeyondItIsADifferenceOfClocks() {
    NewTopics.create(admin, topic, Map.of());
    TopicTtls ttls = ttls(Ttl.matchRetention());
    ttls.resolve(List.of(topic));
    assertThat(ttls.isDatedTooFarAhead(dated(Duration.ofMinutes(3)), NOW)).isFalse();
    assertThat(ttl(ttls, topic, NOW.plus(Duration.ofMinutes(3)).toEpochMilli()))
        .isEqualTo(OF_BROKER);
  }

  private ConsumerRecord<?, ?> dated(Duration ahead) {
    return new ConsumerRecord<>(
        topic,
        0,
        0,
        NOW.plus(ahead).toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        null,
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  void aChangeOfRetentionIsFoundAndPutInForce() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    TopicTtls ttls = ttls(Ttl.matchRetention());
    ttls.resolve(List.of(topic));
    assertThat(ttls.reread()).isEmpty();

    alter(topic, "retention.ms", "864000000");
    Duration longer = OF_BROKER.plusDays(10).minusHours(2);
    List<TtlDrift> drifts = new ArrayList<>();
    Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> drifts.addAll(ttls.reread()));
    assertThat(drifts).containsExactly(new TtlDrift(topic, OF_BROKER, longer));
    assertThat(drifts.get(0).wasTooShort()).isTrue();
    assertThat(ttl(ttls, topic, 0)).isEqualTo(longer);

    alter(topic, "retention.ms", "7200000");
    drifts.clear();
    Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> drifts.addAll(ttls.reread()));
    assertThat(drifts).containsExactly(new TtlDrift(topic, longer, OF_BROKER));
    assertThat(drifts.get(0).wasTooShort()).isFalse();
  }

  @Test
  void aFixedTtlThatIsTooShortIsFlagged() {
    List<String> names =
        List.of(topic + "-short", topic + "-long", topic + "-matched", topic + "-compacted");
    names.forEach(
        name ->
            NewTopics.create(
                admin,
                name,
                name.endsWith("compacted") ? Map.of("cleanup.policy", "compact") : Map.of()));
    Duration bound = OF_BROKER.minusDays(1);
    TopicTtls ttls =
        TopicTtls.of(
            TopicRules.of(
                Map.of(
                    "*-short", Ttl.of(bound.minusMillis(1)),
                    "*-long", Ttl.of(bound),
                    "*-matched", Ttl.matchRetention(),
                    "*-compacted", Ttl.fromTimestamp(Duration.ofDays(365)))),
            admin,
            Duration.ofSeconds(10));
    ttls.resolve(names);
    assertThat(ttls.shorterThanRetention())
        .containsExactlyInAnyOrder(topic + "-short", topic + "-compacted");
  }

  @Test
  void aTtlThatCannotBeComparedWithTheRetentionIsInForceAllTheSame() {
    TopicTtls ttls = ttls(Ttl.parse("7d"));
    ttls.resolve(List.of(topic)); // which does not exist
    assertThat(ttl(ttls, topic, 0)).isEqualTo(Duration.ofDays(7));
  }

  @Test
  void aTopicThatDoesNotExistIsNamed() {
    TopicTtls ttls = ttls(Ttl.matchRetention());
    assertThatThrownBy(() -> ttls.resolve(List.of(topic)))
        .isInstanceOf(TopicReadException.class)
        .hasMessage("topic " + topic + ": its configuration: the topic does not exist");
    NewTopics.create(admin, topic, Map.of());
    TopicTtls withCopies = ttls(Ttl.matchRetention().copies(topic + "-dlt"));
    assertThatThrownBy(() -> withCopies.resolve(List.of(topic)))
        .hasMessage("topic " + topic + "-dlt: its configuration: the topic does not exist");
  }

  @Test
  void aRereadThatFailsLeavesInForceWhatWas() throws Exception {
    NewTopics.create(admin, topic, Map.of());
    TopicTtls ttls = ttls(Ttl.matchRetention());
    ttls.resolve(List.of(topic));
    NewTopics.delete(admin, topic);
    assertThatThrownBy(ttls::reread).isInstanceOf(TopicReadException.class);
    assertThat(ttl(ttls, topic, 0)).isEqualTo(OF_BROKER);
  }

  @Test
  void aBrokerThatDoesNotAnswerIsAnErrorWithinTheTimeOut() {
    // Nothing listens on port 1.
    try (Admin nobody = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"))) {
      TopicTtls ttls =
          TopicTtls.of(
              TopicRules.of(Map.of("*", Ttl.matchRetention())), nobody, Duration.ofMillis(200));
      assertThatThrownBy(() -> ttls.resolve(List.of(topic)))
          .isInstanceOf(TopicReadException.class)
          .hasMessageContaining("no answer from Kafka within PT0.2S");
    }
  }
}
