// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.Ttl;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class ConsumerSettingsTest {

  private static final Deduplicator DEDUP =
      Deduplicator.builder(InMemoryClaimStore.create()).build();

  private static Map<String, Object> properties(String... more) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", "127.0.0.1:1");
    properties.put("group.id", "g");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return properties;
  }

  private static IdempotentConsumer.Builder<byte[], byte[]> builder(String... more) {
    return IdempotentConsumer.<byte[], byte[]>builder(properties(more))
        .topic("t", t -> t.key(KeyExtractors.header("id")).ttl(Duration.ofDays(1)))
        .deduplicator(DEDUP)
        .handler((record, context) -> {});
  }

  @Test
  void aGroupIsNeeded() {
    Map<String, Object> none = properties();
    none.remove("group.id");
    assertThatThrownBy(() -> IdempotentConsumer.builder(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("group.id: was not set, must name the group");
    assertThatThrownBy(() -> IdempotentConsumer.builder(properties("group.id", " ")))
        .hasMessageContaining("group.id: was blank");
  }

  @Test
  void automaticCommitsAreRefused() {
    assertThatThrownBy(() -> IdempotentConsumer.builder(properties("enable.auto.commit", "true")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("enable.auto.commit: was true, must be false");
    assertThatThrownBy(() -> builder("enable.auto.commit", " True "))
        .hasMessageContaining("enable.auto.commit: was true");
  }

  @Test
  void whatNoClientKnowsReachesTheAdminClientAndWhatIsAConsumersDoesNot() {
    Map<String, Object> admin =
        ClientSettings.of(properties("acme.login.url", "u", "max.poll.records", "5")).ofAdmin();
    assertThat(admin)
        .containsEntry("acme.login.url", "u")
        .containsEntry("bootstrap.servers", "127.0.0.1:1")
        .doesNotContainKeys("max.poll.records", "group.id", "key.deserializer");
  }

  @Test
  void aTopicIsNeededAndEachIsGivenOnce() {
    assertThatThrownBy(
            () ->
                IdempotentConsumer.<byte[], byte[]>builder(properties())
                    .deduplicator(DEDUP)
                    .handler((record, context) -> {})
                    .build())
        .hasMessageContaining("topics: were none");
    assertThatThrownBy(() -> builder().topic("t", t -> t)).hasMessageContaining("given twice");
  }

  @Test
  void aKeyIsNeededForEachTopic() {
    assertThatThrownBy(() -> builder().topic("u", t -> t).build())
        .hasMessageContaining("topic u: key was not set");
  }

  @Test
  void aTtlBelowTheLeaseIsRefusedWithItsTopic() {
    assertThatThrownBy(
            () ->
                builder()
                    .topic("u", t -> t.key(KeyExtractors.header("id")).ttl(Duration.ofSeconds(1)))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topic u")
        .hasMessageContaining("ttl: was PT1S, must not be below lease");
  }

  @Test
  void aTtlFromTheTimestampBelowTheLeaseIsRefusedToo() {
    assertThatThrownBy(
            () ->
                builder()
                    .topic(
                        "u",
                        t ->
                            t.key(KeyExtractors.header("id"))
                                .ttl(Ttl.fromTimestamp(Duration.ofSeconds(1))))
                    .build())
        .hasMessageContaining("topic u: ttl: was PT1S, must not be below lease");
  }

  @Test
  void aNegativeCloseTimeOutIsRefused() {
    assertThatThrownBy(() -> builder().closeTimeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("close-timeout: was PT-1S, must not be negative");
  }

  @Test
  void aConsumerThatWasClosedUnusedHasEndedAndCannotBeStarted() {
    IdempotentConsumer<byte[], byte[]> consumer = builder().build();
    consumer.close();
    assertThat(consumer.status().state()).isEqualTo(ConsumerStatus.State.ENDED);
    assertThatThrownBy(consumer::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(consumer::run).isInstanceOf(IllegalStateException.class);
    consumer.close();
  }

  @Test
  void aConsumerThatCannotBeMadeLeavesNothingOpen() {
    int before = CountedDeserializer.OPEN.get();
    assertThatThrownBy(
            () ->
                builder(
                        "value.deserializer",
                        CountedDeserializer.class.getName(),
                        "interceptor.classes",
                        "no.such.Interceptor")
                    .build())
        .isInstanceOf(KafkaException.class);
    assertThat(CountedDeserializer.OPEN).hasValue(before);
  }

  @Test
  void aLeaseAtThePollIntervalIsRefused() {
    assertThatThrownBy(
            () -> builder("max.poll.interval.ms", "60000").lease(Duration.ofSeconds(60)).build())
        .hasMessageContaining("lease: was PT1M, must be below max.poll.interval.ms, which is PT1M");
  }

  @Test
  void aSessionTooShortForAnyLeaseIsRefused() {
    assertThatThrownBy(
            () -> builder("session.timeout.ms", "10000", "heartbeat.interval.ms", "3000").build())
        .hasMessageContaining("session.timeout.ms: was PT10S, must be at least PT15S");
  }

  @Test
  void theLeaseIsOverWhenADeadMembersPartitionsMove() {
    assertThat(
            ConsumerLease.fitting(
                Duration.ofSeconds(30),
                Duration.ofSeconds(45),
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5)))
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(
            ConsumerLease.fitting(
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5)))
        .isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void aBackOffDoublesUpToItsLongestPause() {
    BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofMillis(350), 5);
    assertThat(backOff.after(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(backOff.after(2)).isEqualTo(Duration.ofMillis(200));
    assertThat(backOff.after(3)).isEqualTo(Duration.ofMillis(350));
    assertThat(backOff.after(1_000_000)).isEqualTo(Duration.ofMillis(350));
  }

  @Test
  void aBackOffThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> new BackOff(Duration.ofMillis(-1), Duration.ZERO, 0))
        .hasMessageContaining("first: was");
    assertThatThrownBy(() -> new BackOff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0))
        .hasMessageContaining("longest: was PT1S");
    assertThatThrownBy(() -> new BackOff(Duration.ZERO, Duration.ZERO, -1))
        .hasMessageContaining("retries: was -1");
  }
}
