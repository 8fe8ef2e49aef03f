// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what is done and settled. What could not be committed is tried again, or read again by
 * another member. Confined to the poll loop's thread.
 */
final class OffsetCommits {

  private static final Logger LOG = LoggerFactory.getLogger(OffsetCommits.class);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionWork> works;
  private boolean underWay;
  private @Nullable Exception failure;

  /**
   * Makes them.
   *
   * @param works as they are now, whenever that is
   */
  OffsetCommits(Consumer<?, ?> consumer, Map<TopicPartition, PartitionWork> works) {
    this.consumer = consumer;
    this.works = works;
  }

  /**
   * Sends what can be committed now, and does not wait for the answer: that comes with a later
   * poll. One commit is under way at a time.
   *
   * @throws RuntimeException if a commit before failed for good
   */
  void send() {
    if (failure != null) {
      throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }
    if (underWay) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = committable(works.keySet());
    if (offsets.isEmpty()) {
      return;
    }
    Map<TopicPartition, PartitionWork> sentFor = new HashMap<>();
    offsets.keySet().forEach(partition -> sentFor.put(partition, works.get(partition)));
    underWay = true;
    try {
      consumer.commitAsync(offsets, (asked, thrown) -> answered(offsets, sentFor, thrown));
    } catch (RuntimeException e) {
      underWay = false;
      if (!isPassing(e)) {
        throw e;
      }
    }
  }

  private void answered(
      Map<TopicPartition, OffsetAndMetadata> offsets,
      Map<TopicPartition, PartitionWork> sentFor,
      @Nullable Exception thrown) {
    underWay = false;
    if (thrown == null) {
      // A partition that went and came back has work of its own since.
      sentFor.forEach((partition, work) -> work.committed(offsets.get(partition)));
    } else if (!isPassing(thrown)) {
      failure = thrown;
    }
  }

  /** Commits, and waits for the answer. */
  void now(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = committable(partitions);
    if (offsets.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(offsets);
      offsets.forEach(
          (partition, offset) -> {
            PartitionWork work = works.get(partition);
            if (work != null) {
              work.committed(offset);
            }
          });
    } catch (RuntimeException e) {
      if (!isPassing(e)) {
        throw e;
      }
    }
  }

  /** Commits for the last time, within the time-out. */
  void last(Duration timeout) {
    Map<TopicPartition, OffsetAndMetadata> offsets = committable(works.keySet());
    // A wake-up that was meant for a poll may end the first try.
    for (int i = 0; i < 2 && !offsets.isEmpty(); i++) {
      try {
        consumer.commitSync(offsets, timeout);
        return;
      } catch (WakeupException e) {
        LOG.debug("woken up while committing at the end");
      } catch (RuntimeException e) {
        LOG.warn("offsets not committed at the end, their records are read again", e);
        return;
      }
    }
  }

  private static boolean isPassing(Exception e) {
    if (e instanceof RebalanceInProgressException || e instanceof CommitFailedException) {
      LOG.info("offsets not committed, the group is changing: {}", e.getMessage());
      return true;
    }
    if (e instanceof RetriableException) {
      LOG.warn("offsets not committed, trying again: {}", e.getMessage());
      return true;
    }
    return false;
  }

  private Map<TopicPartition, OffsetAndMetadata> committable(
      Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionWork work = works.get(partition);
      OffsetAndMetadata committable = work == null ? null : work.committable();
      if (committable != null) {
        offsets.put(partition, committable);
      }
    }
    return offsets;
  }
}
