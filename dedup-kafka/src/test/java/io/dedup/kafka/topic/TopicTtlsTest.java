// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What needs no broker: ttls that are not read from one. */
class TopicTtlsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  private static ConsumerRecord<?, ?> record(String topic, long timestampMs) {
    return new ConsumerRecord<>(
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
  }

  private static ConsumerRecord<?, ?> dated(Duration ahead) {
    return record("orders", NOW.plus(ahead).toEpochMilli());
  }

  private static RecordSource from(String topic) {
    return new RecordSource("g", topic, null, false);
  }

  private static TopicTtls ttls(Map<String, ? extends Ttl> rules, String... topics) {
    TopicTtls ttls = TopicTtls.withoutAdmin(TopicRules.of(rules));
    ttls.resolve(List.of(topics));
    return ttls;
  }

  private static Duration ttl(Ttl ttl, ConsumerRecord<?, ?> record) {
    return ttls(Map.of("*", ttl), "orders").ttl(from("orders"), record, NOW);
  }

  @Test
  void aFixedTtlIsTheSameForEveryRecord() {
    assertThat(ttl(Ttl.of(WEEK), dated(Duration.ZERO))).isEqualTo(WEEK);
    assertThat(ttl(Ttl.of(WEEK), dated(Duration.ofDays(365)))).isEqualTo(WEEK);
    assertThat(ttl(Ttl.of(WEEK), record("orders", -1))).isEqualTo(WEEK);
    assertThat(ttl(Ttl.of(WEEK), record("orders", Long.MAX_VALUE))).isEqualTo(WEEK);
  }

  @Nested
  class FromTheTimestamp {

    private final Ttl ttl = Ttl.fromTimestamp(WEEK);

    @Test
    void aRecordDatedAheadIsKeptForThatMuchLonger() {
      assertThat(ttl(ttl, dated(Duration.ofDays(3)))).isEqualTo(Duration.ofDays(10));
    }

    @Test
    void aRecordOfThePastOrWithoutADateIsKeptFromNow() {
      assertThat(ttl(ttl, dated(Duration.ofDays(-3)))).isEqualTo(WEEK);
      assertThat(ttl(ttl, record("orders", -1))).isEqualTo(WEEK);
    }

    @Test
    void anAbsurdDateIsKeptForAsLongAsAStoreCan() {
      assertThat(ttl(ttl, record("orders", Long.MAX_VALUE))).isEqualTo(Duration.ofDays(36_500));
    }
  }

  @Nested
  class ByAPolicy {

    @Test
    void theUsersRuleDecides() {
      Ttl byLoad = Ttl.by((record, now) -> Duration.between(NOW.minus(WEEK), now));
      assertThat(ttl(byLoad, dated(Duration.ZERO))).isEqualTo(WEEK);
    }

    @Test
    void anAnswerOutOfRangeIsRefusedWithTheTopic() {
      Ttl broken = Ttl.by((record, now) -> Duration.ZERO);
      assertThatThrownBy(() -> ttl(broken, dated(Duration.ZERO)))
          .hasMessageContaining("ttl of topic orders: was PT0S");
    }
  }

  @Test
  void eachTopicHasItsOwnAndACopyTheLongerOfBoth() {
    TopicTtls ttls =
        ttls(
            Map.of(
                "orders", Ttl.parse("30d"), "invoices", Ttl.parse("1d"), "*-dlt", Ttl.parse("7d")),
            "orders",
            "invoices",
            "orders-dlt");
    ConsumerRecord<?, ?> letter = record("orders-dlt", 0);
    assertThat(ttls.ttl(from("orders-dlt"), letter, NOW)).isEqualTo(WEEK);
    assertThat(ttls.ttl(from("orders"), letter, NOW)).isEqualTo(Duration.ofDays(30));
    assertThat(ttls.ttl(from("invoices"), letter, NOW)).isEqualTo(WEEK);
    assertThat(ttls.ttl(from("unresolved"), letter, NOW)).isEqualTo(WEEK);
  }

  @Test
  void aTopicThatWasNotResolvedIsAnError() {
    TopicTtls ttls = ttls(Map.of("*", Ttl.of(WEEK)), "orders");
    assertThatThrownBy(() -> ttls.ttl(from("other"), record("other", 0), NOW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ttl of topic other: was not resolved");
  }

  @Test
  void aTopicWithoutARuleIsRefusedAtStart() {
    assertThatThrownBy(() -> ttls(Map.of("orders", Ttl.of(WEEK)), "oders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topic oders: matched none of [orders]");
  }

  @Test
  void retentionCannotBeMatchedWithoutAnAdminClient() {
    assertThatThrownBy(() -> ttls(Map.of("*", Ttl.matchRetention()), "orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ttl of topics [orders]: was 'retention'");
  }
}
