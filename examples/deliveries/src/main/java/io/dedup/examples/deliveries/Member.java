// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** One member of the group: something that reads, and all that it needs. */
final class Member implements AutoCloseable {

  static final Duration FIRST_BACK_OFF = Duration.ofMillis(100);
  static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(2);
  static final int RETRIES = 5;

  /** A dead member's partitions move after this; its leases are over by then. */
  private static final int SESSION_TIMEOUT_MS = 6_000;

  private static final int HEARTBEAT_INTERVAL_MS = 1_500;

  private final Claims claims;
  private final Intake intake;

  /**
   * Makes a member.
   *
   * @param maxUnsettled how many effects may be done and not known to be stored as done
   */
  Member(Run run, int maxUnsettled) {
    this.claims = new Claims(run, maxUnsettled);
    EffectTable effects = new EffectTable(run, claims.sql());
    this.intake =
        switch (run.listener()) {
          case PLAIN -> new PlainIntake(run, claims.deduplicator(), effects);
          case SPRING_RECORD, SPRING_BATCH -> new SpringIntake(run, claims.deduplicator(), effects);
        };
  }

  static Map<String, Object> consumerProperties(Run run) {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        run.kafka(),
        ConsumerConfig.GROUP_ID_CONFIG,
        run.group(),
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "earliest",
        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
        SESSION_TIMEOUT_MS,
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
        HEARTBEAT_INTERVAL_MS);
  }

  static Map<String, Object> producerProperties(String kafka) {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        kafka,
        ProducerConfig.ACKS_CONFIG,
        "all",
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        // Keyless records go round the partitions one by one, so that duplicates meet on different
        // members.
        ProducerConfig.PARTITIONER_CLASS_CONFIG,
        "org.apache.kafka.clients.producer.RoundRobinPartitioner");
  }

  void start() {
    intake.start();
  }

  /** Returns what ended it, null if it has not failed. */
  @Nullable Throwable failure() {
    return intake.failure();
  }

  @Override
  public void close() {
    intake.close();
    claims.close();
  }
}
