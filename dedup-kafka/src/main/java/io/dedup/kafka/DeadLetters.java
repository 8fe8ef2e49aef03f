// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;

/** Takes records that will not be tried again. */
@FunctionalInterface
public interface DeadLetters {

  /**
   * Keeps the letter. When this returns, it is kept for good: the record's offset is committed
   * next. It is called by a thread of its own, with one letter at a time, and may block; should its
   * partition move meanwhile, the partition's next owner may offer the record again.
   *
   * @throws Exception if it is not known to be kept; it is offered again
   */
  void publish(DeadLetter letter) throws Exception;

  /**
   * Returns dead letters that are published with {@code producer} to the topic {@code <topic>-dlt},
   * with the headers that spring-kafka's recoverer writes, and {@value
   * KafkaDeadLetters#REASON_HEADER}. A letter that is too large with what tells of its failure is
   * published without.
   *
   * @param producer writes key and value as they were read; configure it with {@code acks=all}
   */
  static DeadLetters to(Producer<byte[], byte[]> producer) {
    return to(producer, topic -> topic + "-dlt");
  }

  /** Does what {@link #to(Producer)} does, with topics of the caller's choice. */
  static DeadLetters to(Producer<byte[], byte[]> producer, Function<String, String> topicFor) {
    return new KafkaDeadLetters(producer, topicFor, Duration.ofSeconds(30));
  }
}
