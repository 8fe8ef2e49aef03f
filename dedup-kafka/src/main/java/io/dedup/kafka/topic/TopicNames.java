// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.Objects;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;

/** What Kafka accepts as a topic's name. */
final class TopicNames {

  private TopicNames() {}

  static String check(String property, String name) {
    Objects.requireNonNull(name, property);
    try {
      Topic.validate(name);
    } catch (InvalidTopicException e) {
      throw new IllegalArgumentException(
          property
              + ": was '"
              + name
              + "', must be a topic's name (1 to 249 of the characters a-z A-Z 0-9 . _ -, not '.' or '..')",
          e);
    }
    return name;
  }
}
