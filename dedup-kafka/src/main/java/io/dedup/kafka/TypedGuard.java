// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.kafka.topic.TopicIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Deserializes a record, deduplicates it, and runs the user's handler. */
record TypedGuard<K, V>(
    RecordReader<K, V> reader, RecordDeduplicator deduplicator, RecordHandler<K, V> handler)
    implements RecordGuard {

  @Override
  public Disposition process(ConsumerRecord<byte[], byte[]> raw, boolean suspect) {
    ConsumerRecord<K, V> record;
    try {
      record = reader.read(raw);
    } catch (RuntimeException e) {
      return new Disposition.Dead(DeadLetter.Reason.DESERIALIZATION, e, e.toString());
    }
    return Dispositions.of(deduplicator.process(raw, record, handler, suspect));
  }

  @Override
  public TopicIdentity topic(ConsumerRecord<?, ?> record) {
    return deduplicator.identity(record.topic());
  }

  @Override
  public String group() {
    return deduplicator.group();
  }
}
