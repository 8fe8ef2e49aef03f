// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records for tests, and what an extractor makes of them. */
final class Sample {

  private Sample() {}

  static ConsumerRecord<Object, Object> value(Object value) {
    return keyed(null, value);
  }

  static ConsumerRecord<Object, Object> keyed(Object key, Object value) {
    return at("orders", 2, 42, 7, key, value);
  }

  static ConsumerRecord<Object, Object> at(
      String topic, int partition, long offset, int epoch, Object key, Object value) {
    return new ConsumerRecord<>(
        topic,
        partition,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        value,
        new RecordHeaders(),
        epoch < 0 ? Optional.empty() : Optional.of(epoch));
  }

  /** A record with one header for each pair of name and value; a value is text, bytes or null. */
  static ConsumerRecord<Object, Object> headers(Object... namesAndValues) {
    ConsumerRecord<Object, Object> record = value(null);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      record
          .headers()
          .add(
              (String) namesAndValues[i],
              value instanceof String text ? text.getBytes(UTF_8) : (byte[]) value);
    }
    return record;
  }

  static String idOf(KeyExtractor<ConsumerRecord<?, ?>> extractor, ConsumerRecord<?, ?> record) {
    ExtractedId answer = extractor.extract(record);
    assertThat(answer).isInstanceOf(ExtractedId.Found.class);
    return ((ExtractedId.Found) answer).id();
  }

  static void assertMissing(
      KeyExtractor<ConsumerRecord<?, ?>> extractor, ConsumerRecord<?, ?> record) {
    assertThat(extractor.extract(record)).isInstanceOf(ExtractedId.Missing.class);
  }

  static void assertUnreadable(
      KeyExtractor<ConsumerRecord<?, ?>> extractor, ConsumerRecord<?, ?> record, String why) {
    assertThat(extractor.extract(record))
        .isInstanceOfSatisfying(
            ExtractedId.Unreadable.class, answer -> assertThat(answer.why()).contains(why));
  }
}
