// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.Fingerprint;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the fingerprint of a value's canonical JSON. */
enum JsonFingerprint implements RecordFingerprint {
  INSTANCE;

  @Override
  public Fingerprint of(ConsumerRecord<?, ?> record) {
    Object value = record.value();
    return value == null
        ? RawFingerprint.tombstone(Fingerprint.JSON)
        : Fingerprint.sha256(Fingerprint.JSON, Json.canonical("fingerprint json", value));
  }

  @Override
  public String describe() {
    return "json";
  }
}
