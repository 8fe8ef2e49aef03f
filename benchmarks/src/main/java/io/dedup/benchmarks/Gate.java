// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decides about one record at a time, as peers do. */
interface Gate extends AutoCloseable {

  /** Whether the record's effect is to be done now. */
  boolean opens(ConsumerRecord<byte[], byte[]> record) throws Exception;

  /** The effect is done. */
  void done(ConsumerRecord<byte[], byte[]> record) throws Exception;

  @Override
  void close();
}
