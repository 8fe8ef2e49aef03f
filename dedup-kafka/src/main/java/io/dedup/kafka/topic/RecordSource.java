// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import io.dedup.claim.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Where a record comes from originally: for a copy in a retry or dead-letter topic, the record it
 * is a copy of.
 *
 * @param group the consumer group whose effect it is
 * @param topic the original topic
 * @param position the original place, null for a copy that does not tell
 * @param copy whether it was read from another topic than the original one
 */
public record RecordSource(
    String group, String topic, @Nullable RecordPosition position, boolean copy) {

  /** Returns the original place as an origin. */
  public Origin origin() {
    return position == null ? Origin.none() : position.origin();
  }
}
