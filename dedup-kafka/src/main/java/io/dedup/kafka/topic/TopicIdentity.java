// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import io.dedup.claim.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Which topic of which cluster. A topic that was deleted and created anew under the same name has
 * another id, and its offsets begin again.
 *
 * @param clusterId null if unknown
 * @param topic the name
 * @param topicId the id of KIP-516, null if unknown
 */
public record TopicIdentity(@Nullable String clusterId, String topic, @Nullable String topicId) {

  /** Checks the name. */
  public TopicIdentity {
    TopicNames.check("topic", topic);
  }

  /** Returns the identity of a topic of which only the name is known. */
  public static TopicIdentity byName(String topic) {
    return new TopicIdentity(null, topic, null);
  }

  /**
   * Returns whether cluster and topic id are both known, so that an offset names one record for
   * ever.
   */
  public boolean isComplete() {
    return clusterId != null && topicId != null;
  }

  /** Returns the origin of the record at this place; {@code leaderEpoch} is -1 if unknown. */
  Origin origin(int partition, long offset, int leaderEpoch) {
    return Origin.kafka(
        clusterId == null ? "" : clusterId,
        topicId == null ? topic : topicId,
        partition,
        offset,
        leaderEpoch);
  }
}
