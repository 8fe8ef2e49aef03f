// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, processes and commits, in one thread.
 *
 * <p>A record that cannot be done now holds back its own partition, which is paused; the loop polls
 * on, so the member stays in its group. An offset is committed only when everything before it is
 * done, or kept as a dead letter. While the store is in trouble nothing is processed and nothing is
 * committed, and each partition is paused.
 */
final class PollLoop implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
  private static final Duration IDLE_POLL = Duration.ofMillis(500);
  private static final BackOff TROUBLE = BackOff.untilBetter();

  private final Consumer<byte[], byte[]> consumer;
  private final RecordStep step;
  private final AssignmentListener onAssigned;
  private final ProcessClock clock;
  private final long turnNanos;
  private final Map<TopicPartition, PartitionWork> works = new LinkedHashMap<>();
  private volatile boolean stopping;
  private volatile ConsumerStatus status =
      new ConsumerStatus(ConsumerStatus.State.NEW, Set.of(), Set.of(), null, null);
  private @Nullable StoreException trouble;
  private int troubles;
  private long troubleUntilNanos;

  /**
   * Makes the loop.
   *
   * @param turn how long records are processed before the next poll, well below {@code
   *     max.poll.interval.ms}
   * @param onAssigned is told of partitions before their records are read
   */
  PollLoop(
      Consumer<byte[], byte[]> consumer,
      RecordStep step,
      AssignmentListener onAssigned,
      ProcessClock clock,
      Duration turn) {
    this.consumer = consumer;
    this.step = step;
    this.onAssigned = onAssigned;
    this.clock = clock;
    this.turnNanos = turn.toNanos();
  }

  /**
   * Runs until {@link #stop()}, or until the client fails for good. Closes the client.
   *
   * @param before what to do first
   */
  void run(Set<String> topics, Runnable before, Duration closeTimeout) {
    Throwable failure = null;
    try {
      before.run();
      consumer.subscribe(topics, this);
      while (!stopping) {
        turn();
      }
    } catch (WakeupException e) {
      if (!stopping) {
        failure = e;
        throw e;
      }
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      close(closeTimeout);
      status = new ConsumerStatus(ConsumerStatus.State.ENDED, Set.of(), Set.of(), trouble, failure);
    }
  }

  /** Ends the loop after the record in hand. Any thread may call it. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  /** Closes the client of a loop that is not run. */
  void closeUnused() {
    consumer.close();
  }

  ConsumerStatus status() {
    return status;
  }

  private void turn() {
    pauseWhatWaits();
    accept(consumer.poll(untilSomethingIsDue()));
    process();
    commit(works.keySet());
    report();
  }

  private void accept(ConsumerRecords<byte[], byte[]> polled) {
    Map<TopicPartition, OffsetAndMetadata> next = polled.nextOffsets();
    Set<TopicPartition> moved = new HashSet<>(polled.partitions());
    moved.addAll(next.keySet());
    for (TopicPartition partition : moved) {
      PartitionWork work = works.get(partition);
      if (work != null) {
        work.add(polled.records(partition), next.get(partition));
      }
    }
  }

  /** Works through the partitions until nothing is due or the turn is over. */
  private void process() {
    long end = clock.nanoTime() + turnNanos;
    for (PartitionWork work : List.copyOf(works.values())) {
      while (!stopping && !isInTrouble() && clock.nanoTime() - end < 0) {
        ConsumerRecord<byte[], byte[]> record = work.due(clock.nanoTime());
        if (record == null) {
          break;
        }
        processOne(work, record);
      }
    }
  }

  private void processOne(PartitionWork work, ConsumerRecord<byte[], byte[]> record) {
    try {
      step.take(work, record);
      if (trouble != null) {
        LOG.info("the store answers again");
        trouble = null;
        troubles = 0;
      }
    } catch (StoreException e) {
      Duration pause = TROUBLE.after(++troubles);
      troubleUntilNanos = clock.nanoTime() + pause.toNanos();
      trouble = e;
      LOG.warn("the store is in trouble, nothing is processed for {}: {}", pause, e.getMessage());
    }
  }

  /** Once the pause is over one record is tried: it tells whether the trouble is. */
  private boolean isInTrouble() {
    return trouble != null && clock.nanoTime() - troubleUntilNanos < 0;
  }

  private void pauseWhatWaits() {
    Set<TopicPartition> pause = new HashSet<>();
    Set<TopicPartition> resume = new HashSet<>();
    Set<TopicPartition> paused = consumer.paused();
    works.forEach(
        (partition, work) -> {
          boolean waits = isInTrouble() || !work.isEmpty();
          if (waits != paused.contains(partition)) {
            (waits ? pause : resume).add(partition);
          }
        });
    consumer.pause(pause);
    consumer.resume(resume);
  }

  private Duration untilSomethingIsDue() {
    long now = clock.nanoTime();
    if (isInTrouble()) {
      return shorter(IDLE_POLL, Duration.ofNanos(troubleUntilNanos - now));
    }
    Duration until = IDLE_POLL;
    for (PartitionWork work : works.values()) {
      Duration due = work.untilDue(now);
      until = due == null ? until : shorter(until, due);
    }
    return until;
  }

  /**
   * Commits what is done. What could not be committed is tried again, or read again by another
   * member.
   */
  private void commit(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionWork work = works.get(partition);
      OffsetAndMetadata committable = work == null ? null : work.committable();
      if (committable != null) {
        offsets.put(partition, committable);
      }
    }
    if (offsets.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(offsets);
      works.forEach((partition, work) -> work.committed(offsets.get(partition)));
    } catch (RebalanceInProgressException | CommitFailedException e) {
      LOG.info("offsets not committed, the group is changing: {}", e.getMessage());
    } catch (RetriableException e) {
      LOG.warn("offsets not committed, trying again: {}", e.getMessage());
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> works.put(partition, new PartitionWork()));
    onAssigned.assigned(partitions);
  }

  /**
   * No record is in hand: this runs within a poll. What is pending was not claimed, and is read by
   * its next owner.
   */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      commit(partitions);
    } finally {
      partitions.forEach(works::remove);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    partitions.forEach(works::remove);
  }

  private void report() {
    long now = clock.nanoTime();
    Set<TopicPartition> waiting = new HashSet<>();
    works.forEach(
        (partition, work) -> {
          if (!work.isEmpty() && work.due(now) == null) {
            waiting.add(partition);
          }
        });
    status =
        new ConsumerStatus(
            ConsumerStatus.State.RUNNING,
            Set.copyOf(works.keySet()),
            Set.copyOf(waiting),
            trouble,
            null);
  }

  private void close(Duration timeout) {
    try {
      commitAtTheEnd();
    } finally {
      consumer.close(CloseOptions.timeout(timeout));
    }
  }

  private void commitAtTheEnd() {
    // A wake-up that was meant for a poll may end the first try.
    for (int i = 0; i < 2; i++) {
      try {
        commit(works.keySet());
        return;
      } catch (WakeupException e) {
        LOG.debug("woken up while committing at the end");
      } catch (RuntimeException e) {
        LOG.warn("offsets not committed at the end, their records are read again", e);
        return;
      }
    }
  }

  /** Is told of partitions before their records are read. */
  @FunctionalInterface
  interface AssignmentListener {
    void assigned(Collection<TopicPartition> partitions);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
