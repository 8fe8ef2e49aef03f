// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;

/**
 * A ttl that follows the retention of its topic and has changed with it.
 *
 * @param topic the topic
 * @param before the ttl until now
 * @param now the ttl from now on
 */
public record TtlDrift(String topic, Duration before, Duration now) {

  /**
   * Returns whether keys that were completed until now may expire while their record can still be
   * delivered.
   */
  public boolean wasTooShort() {
    return before.compareTo(now) < 0;
  }
}
