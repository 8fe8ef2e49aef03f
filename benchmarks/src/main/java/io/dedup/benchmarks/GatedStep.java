// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Handles the records that a gate lets through, one after the other. */
record GatedStep(Effect effect, Gate gate) implements Step {

  @Override
  public void handle(ConsumerRecords<byte[], byte[]> records) throws Exception {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (gate.opens(record)) {
        effect.run(record);
        gate.done(record);
      }
    }
  }

  @Override
  public void close() {
    gate.close();
  }
}
