// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the id from a place in the record's value. */
record JsonExtractor(JsonPointer pointer) implements KeyExtractor<ConsumerRecord<?, ?>> {

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    String where = "json:" + pointer.text();
    if (record.value() == null) {
      return new ExtractedId.Missing(where + " (the record is a tombstone)");
    }
    try {
      return Json.find(where, record.value(), pointer).id(where);
    } catch (UnreadableRecordException e) {
      return new ExtractedId.Unreadable(e.where(), e.why());
    }
  }

  @Override
  public String describe() {
    return "json:" + KeyText.escape(pointer.text(), "");
  }
}
