// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

/**
 * Takes the id of a message from the message.
 *
 * <p>An extractor is a pure function of what it is given: the same message, delivered again, has
 * the same id. It throws nothing for a message it cannot read, it answers {@link
 * ExtractedId.Unreadable}. Thread-safe.
 *
 * @param <S> what the id is taken from
 */
@FunctionalInterface
public interface KeyExtractor<S> {

  /** Returns the id of {@code source}, or why there is none. */
  ExtractedId extract(S source);

  /** Returns the name under which the choice is logged, such as {@code header:event-id}. */
  default String describe() {
    return getClass().getSimpleName();
  }
}
