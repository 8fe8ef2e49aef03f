// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.key.KeyExtractor;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the textual form of a key. */
@FunctionalInterface
interface KeyParser {

  /**
   * Returns what {@code text} describes.
   *
   * @throws IllegalArgumentException naming what is wrong and what is allowed
   */
  KeyExtractor<ConsumerRecord<?, ?>> parse(String text);
}
