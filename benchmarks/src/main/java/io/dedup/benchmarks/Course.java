// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One pass of one contender over one topic.
 *
 * @param data the records
 * @param effect what is to happen for each
 * @param stores where the contender's store is
 * @param group a group that has read nothing yet
 * @param consumer properties of Kafka's consumer, the same for everybody
 */
record Course(
    Dataset data, Effect effect, Stores stores, String group, Map<String, Object> consumer) {

  static final int MAX_POLL_RECORDS = 500;

  /** Longer than a broker with default settings can deliver a record again. */
  static final Duration TTL = Duration.ofDays(30);

  static Course of(
      Dataset data, Effect effect, Stores stores, String group, String kafka, Progress progress) {
    return new Course(
        data,
        effect,
        stores,
        group,
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka,
            ConsumerConfig.GROUP_ID_CONFIG,
            group,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            MAX_POLL_RECORDS,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ProgressWatch.class.getName(),
            ProgressWatch.PROGRESS,
            progress));
  }
}
