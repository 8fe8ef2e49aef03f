// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreException;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer is doing, for health checks.
 *
 * @param state where it is in its life
 * @param assigned the partitions it has
 * @param waiting those of them whose next record waits: for another worker, a back-off, or a dead
 *     letter to be kept
 * @param trouble why it processes nothing, null if it does
 * @param failure what ended it, null if nothing did
 */
public record ConsumerStatus(
    State state,
    Set<TopicPartition> assigned,
    Set<TopicPartition> waiting,
    @Nullable StoreException trouble,
    @Nullable Throwable failure) {

  /** The states of a consumer's life. */
  public enum State {
    /** Not run yet. */
    NEW,
    /** Polls. */
    RUNNING,
    /** Was closed, or has failed. */
    ENDED
  }
}
