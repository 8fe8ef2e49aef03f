// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a user's record out of the bytes that were read. The client reads bytes, so that a record
 * that cannot be deserialized is one record's trouble and can be kept as it is. Confined to the
 * poll loop's thread.
 */
final class RecordReader<K, V> implements AutoCloseable {

  private final Deserializer<K> keys;
  private final Deserializer<V> values;

  private RecordReader(Deserializer<K> keys, Deserializer<V> values) {
    this.keys = keys;
    this.values = values;
  }

  /** Returns the reader with the deserializers that the client's properties name. */
  @SuppressWarnings("unchecked") // The properties cannot say what they make; the caller names it.
  static <K, V> RecordReader<K, V> of(Map<String, Object> properties) {
    ConsumerConfig config = new ConsumerConfig(properties);
    Deserializer<K> keys =
        config.getConfiguredInstance(
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, Deserializer.class);
    try {
      keys.configure(config.originals(), true);
      Deserializer<V> values =
          config.getConfiguredInstance(
              ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, Deserializer.class);
      values.configure(config.originals(), false);
      return new RecordReader<>(keys, values);
    } catch (RuntimeException e) {
      keys.close();
      throw e;
    }
  }

  /**
   * Returns the record, with headers of its own: deserializers remove those that were meant for
   * them, and the next try and the dead letter need them again. Throws what a deserializer throws.
   */
  ConsumerRecord<K, V> read(ConsumerRecord<byte[], byte[]> raw) {
    Headers headers = new RecordHeaders(raw.headers());
    return new ConsumerRecord<>(
        raw.topic(),
        raw.partition(),
        raw.offset(),
        raw.timestamp(),
        raw.timestampType(),
        raw.serializedKeySize(),
        raw.serializedValueSize(),
        part(keys, raw.topic(), headers, raw.key()),
        part(values, raw.topic(), headers, raw.value()),
        headers,
        raw.leaderEpoch());
  }

  @SuppressWarnings(
      "NullAway") // A record without a key or value has null there, whatever its type says.
  private static <T> T part(
      Deserializer<T> deserializer, String topic, Headers headers, byte @Nullable [] bytes) {
    return bytes == null ? null : deserializer.deserialize(topic, headers, bytes);
  }

  @Override
  public void close() {
    try {
      keys.close();
    } finally {
      values.close();
    }
  }
}
