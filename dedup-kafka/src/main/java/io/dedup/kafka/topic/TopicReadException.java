// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import org.jspecify.annotations.Nullable;

/**
 * Kafka did not tell what was asked of a topic, or told something that cannot be worked with. The
 * message names what was asked, what came instead, and what must be so. It says nothing about any
 * record: never a reason to acknowledge one.
 */
public final class TopicReadException extends RuntimeException {

  private static final long serialVersionUID = 1;

  TopicReadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
