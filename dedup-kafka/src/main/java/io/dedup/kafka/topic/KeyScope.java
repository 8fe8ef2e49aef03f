// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import io.dedup.key.CompositeId;
import java.util.List;

/**
 * Decides whose key an id is: two records with the same id in different scopes are two messages.
 * Thread-safe.
 */
@FunctionalInterface
public interface KeyScope {

  /** Returns the scope of a record that came from {@code source}; not empty. */
  String of(RecordSource source);

  /**
   * Returns the default: original group and original topic. Two groups never suppress each other,
   * nor do two topics, and a copy in a retry or dead-letter topic has the scope of its original.
   */
  static KeyScope groupAndTopic() {
    return source -> CompositeId.join(List.of(source.group(), source.topic()));
  }

  /**
   * Returns the scope for one of several listeners that read the same partitions in one group, each
   * of which is to act once: the default and the listener's id.
   *
   * @param listener not empty
   */
  static KeyScope groupTopicAnd(String listener) {
    String id = Checks.notEmpty("listener", listener);
    return source -> CompositeId.join(List.of(source.group(), source.topic(), id));
  }

  /**
   * Returns the same scope for every record, for keys that are shared across topics, groups, or
   * with HTTP.
   *
   * @param scope not empty
   */
  static KeyScope fixed(String scope) {
    String fixed = Checks.notEmpty("scope", scope);
    return source -> fixed;
  }
}
