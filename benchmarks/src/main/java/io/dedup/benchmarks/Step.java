// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import org.apache.kafka.clients.consumer.ConsumerRecords;

/** What a poll loop does with the records of a poll before it commits their offsets. */
interface Step extends AutoCloseable {

  void handle(ConsumerRecords<byte[], byte[]> records) throws Exception;

  @Override
  void close();

  /** Opens a step's connections. */
  @FunctionalInterface
  interface Opening {
    Step open(Course course) throws Exception;
  }
}
