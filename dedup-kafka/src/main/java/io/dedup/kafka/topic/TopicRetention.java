// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration of a topic says about how long its records stay.
 *
 * @param topic the topic
 * @param compacted whether {@code cleanup.policy} holds {@code compact}
 * @param retention {@code retention.ms}, null for no limit
 * @param segment {@code segment.ms}
 * @param logAppendTime whether {@code message.timestamp.type} is {@code LogAppendTime}
 * @param timestampAfterMax {@code message.timestamp.after.max.ms}, null for no limit
 */
record TopicRetention(
    String topic,
    boolean compacted,
    @Nullable Duration retention,
    Duration segment,
    boolean logAppendTime,
    @Nullable Duration timestampAfterMax) {

  /** Returns whether the broker itself sees to it that no timestamp is too far ahead. */
  boolean limitsTimestamps() {
    return logAppendTime || timestampAfterMax != null;
  }

  /**
   * Returns how far ahead of the broker's clock a timestamp may be; {@code unlimited} where there
   * is no limit.
   */
  Duration ahead(Duration unlimited) {
    if (logAppendTime) {
      return Duration.ZERO;
    }
    return timestampAfterMax == null ? unlimited : timestampAfterMax;
  }
}
