// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.KeyExtractor;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the textual form of keys, Spring's expressions among them. */
public final class SpringKeys {

  private static final String EXPRESSION = "spel:";

  private SpringKeys() {}

  /**
   * Reads what {@link KeyExtractors#parse} reads, and {@code spel:} with an expression over {@code
   * #value}, {@code #key}, {@code #headers} and {@code #topic}, such as {@code
   * spel:#value.customer.id + '/' + #headers['event-id']}. It reads properties and map entries and
   * calls methods of what is there; it knows no types and no beans. One whose value is null or
   * empty is a missing key; one that cannot be evaluated for a record is an unreadable one.
   *
   * @throws IllegalArgumentException if the text is no key, the expression cannot be parsed, or it
   *     refers to something else
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> parse(String text) {
    String stripped = text.strip();
    return stripped.startsWith(EXPRESSION)
        ? RecordExpression.parse(text, stripped.substring(EXPRESSION.length()).strip())
        : KeyExtractors.parse(text);
  }
}
