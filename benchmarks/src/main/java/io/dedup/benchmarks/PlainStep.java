// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Handles each record and remembers nothing. */
record PlainStep(Effect effect) implements Step {

  @Override
  public void handle(ConsumerRecords<byte[], byte[]> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      effect.run(record);
    }
  }

  @Override
  public void close() {}
}
