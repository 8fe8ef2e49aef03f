// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the record's key for the id. */
enum RecordKeyExtractor implements KeyExtractor<ConsumerRecord<?, ?>>, Cautioned {
  INSTANCE;

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    return Ids.value("key", record.key());
  }

  @Override
  public String describe() {
    return "key";
  }

  @Override
  public List<String> cautions() {
    return List.of(
        "key: a record's key mostly names an entity, not an event; then the second change of the entity, and its"
            + " tombstone, pass for duplicates of the first and are skipped");
  }
}
