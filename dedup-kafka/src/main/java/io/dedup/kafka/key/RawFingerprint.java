// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.Fingerprint;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the fingerprint of a value's bytes. */
enum RawFingerprint implements RecordFingerprint {
  INSTANCE;

  @Override
  public Fingerprint of(ConsumerRecord<?, ?> record) {
    Object value = record.value();
    return value == null
        ? tombstone(Fingerprint.RAW)
        : Fingerprint.raw(Payloads.raw("fingerprint raw", value));
  }

  @Override
  public String describe() {
    return "raw";
  }

  /** A tombstone says something else than any value, an empty one included. */
  static Fingerprint tombstone(int algorithm) {
    return new Fingerprint(algorithm, 0);
  }
}
