// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Tells a {@link Progress} what a consumer does, whoever drives that consumer. */
public final class ProgressWatch implements ConsumerInterceptor<byte[], byte[]> {

  static final String PROGRESS = "benchmarks.progress";

  private @Nullable Progress progress;

  /** Made by Kafka's client. */
  public ProgressWatch() {}

  @Override
  public void configure(Map<String, ?> configs) {
    progress = (Progress) configs.get(PROGRESS);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    Objects.requireNonNull(progress).polled();
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, Long> plain = new HashMap<>();
    offsets.forEach((partition, offset) -> plain.put(partition, offset.offset()));
    Objects.requireNonNull(progress).committed(plain);
  }

  @Override
  public void close() {}
}
