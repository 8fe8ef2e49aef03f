// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.Fingerprint;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes no fingerprint. */
enum NoFingerprint implements RecordFingerprint {
  INSTANCE;

  @Override
  public Fingerprint of(ConsumerRecord<?, ?> record) {
    return Fingerprint.none();
  }

  @Override
  public String describe() {
    return "none";
  }
}
