// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads records and tells what to ask for them. Whatever is thrown for a record that comes later is
 * thrown again when it is that record's turn.
 */
final class UpcomingRecords<K, V> {

  private final RecordReader<K, V> reader;
  private final RecordAsks asks;

  UpcomingRecords(RecordReader<K, V> reader, RecordAsks asks) {
    this.reader = reader;
    this.asks = asks;
  }

  /**
   * Returns what to ask for the record.
   *
   * @throws RuntimeException what a {@link io.dedup.kafka.topic.TtlPolicy} throws, or {@link
   *     io.dedup.kafka.topic.TopicReadException}
   */
  Ahead<K, V> read(ConsumerRecord<byte[], byte[]> raw, boolean suspect) {
    ConsumerRecord<K, V> record;
    try {
      record = reader.read(raw);
    } catch (RuntimeException e) {
      return new Ahead.Decided<>(
          new Disposition.Dead(DeadLetter.Reason.DESERIALIZATION, e, e.toString()));
    }
    return asks.of(record, raw, suspect)
        .fold(
            keyed -> new Ahead.Asked<>(record, keyed.ask()),
            unguarded -> new Ahead.Unguarded<>(record),
            noKey ->
                new Ahead.Decided<>(
                    Dispositions.of(new RecordOutcome.NoKey(noKey.where(), noKey.why()))));
  }
}
