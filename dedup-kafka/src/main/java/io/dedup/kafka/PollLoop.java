// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Held;
import io.dedup.claim.StoreException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads, processes and commits, in one thread.
 *
 * <p>A record that cannot be done now holds back its own partition, which is paused; the loop polls
 * on, so the member stays in its group. An offset is committed only when everything before it is
 * done, or kept as a dead letter. While the store is in trouble nothing is processed and nothing is
 * committed, and each partition is paused.
 */
final class PollLoop implements ConsumerRebalanceListener {

  private static final Duration IDLE_POLL = Duration.ofMillis(500);

  private final Consumer<byte[], byte[]> consumer;
  private final RecordGuard guard;
  private final RecordStep step;
  private final AssignmentListener onAssigned;
  private final ProcessClock clock;
  private final long turnNanos;
  private final Duration settleTimeout;
  private final StoreTrouble trouble;

  /** In the order in which they have their turns. */
  private final Map<TopicPartition, PartitionWork> works = new LinkedHashMap<>();

  private final OffsetCommits commits;
  private volatile boolean stopping;
  private volatile ConsumerStatus status =
      new ConsumerStatus(ConsumerStatus.State.NEW, Set.of(), Set.of(), null, null);

  /**
   * Makes the loop.
   *
   * @param settleTimeout how long to wait for settlements before partitions go
   * @param turn how long records are processed before the next poll, well below {@code
   *     max.poll.interval.ms}
   * @param onAssigned is told of partitions before their records are read
   */
  PollLoop(
      Consumer<byte[], byte[]> consumer,
      RecordGuard guard,
      RecordStep step,
      AssignmentListener onAssigned,
      ProcessClock clock,
      Duration turn,
      Duration settleTimeout) {
    this.consumer = consumer;
    this.guard = guard;
    this.step = step;
    this.settleTimeout = settleTimeout;
    this.commits = new OffsetCommits(consumer, works);
    this.onAssigned = onAssigned;
    this.clock = clock;
    this.turnNanos = turn.toNanos();
    this.trouble = new StoreTrouble(clock);
  }

  /**
   * Runs until {@link #stop()}, until its thread is interrupted, or until the client fails for
   * good. Closes the client.
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
      end(closeTimeout, failure);
    }
  }

  /** In an interrupted thread the client would neither commit nor leave its group. */
  private void end(Duration closeTimeout, @Nullable Throwable failure) {
    boolean interrupted = Thread.interrupted();
    try {
      close(closeTimeout);
    } finally {
      status = ended(failure);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private ConsumerStatus ended(@Nullable Throwable failure) {
    return new ConsumerStatus(
        ConsumerStatus.State.ENDED, Set.of(), Set.of(), trouble.cause(), failure);
  }

  /** Ends the loop after the record in hand. Any thread may call it. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  /** Closes the client of a loop that is not run. */
  void closeUnused() {
    status = ended(null);
    consumer.close();
  }

  ConsumerStatus status() {
    return status;
  }

  /** Reads, processes, and commits what is settled by then: the rest settles meanwhile. */
  void turn() {
    pauseWhatWaits();
    List<Held> unsettled = unsettled(works.keySet());
    ConsumerRecords<byte[], byte[]> polled =
        consumer.poll(unsettled.isEmpty() ? untilSomethingIsDue() : Duration.ZERO);
    accept(polled);
    process();
    if (polled.isEmpty()) {
      // There is time to wait for it.
      guard.settle(unsettled, IDLE_POLL);
    }
    commits.send();
    report();
  }

  private List<Held> unsettled(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .map(works::get)
        .filter(Objects::nonNull)
        .flatMap(work -> work.unsettled().stream())
        .toList();
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

  /**
   * Works through the partitions until nothing is due or the turn is over. Who had a turn is the
   * last to have the next one: neither slow records nor those that meet trouble keep the other
   * partitions waiting for ever.
   */
  private void process() {
    long end = clock.nanoTime() + turnNanos;
    for (TopicPartition partition : List.copyOf(works.keySet())) {
      if (!mayGoOn(end)) {
        return;
      }
      PartitionWork work = Objects.requireNonNull(works.remove(partition));
      works.put(partition, work);
      processSome(partition, work, end);
    }
  }

  private void processSome(TopicPartition partition, PartitionWork work, long end) {
    while (mayGoOn(end)) {
      ConsumerRecord<byte[], byte[]> record = work.due(clock.nanoTime());
      if (record == null) {
        return;
      }
      boolean suspect = work.isSuspect();
      try {
        if (step.take(work, record, after(partition, work))) {
          trouble.over();
        }
      } catch (StoreException e) {
        trouble.met(partition, e);
      }
      if (suspect) {
        // What follows did not end the partition's last owner, as soon as this is known to be done.
        guard.settle(work.unsettled(), settleTimeout);
        commits.now(Set.of(partition));
      }
      if (!work.isEmpty() && work.due(clock.nanoTime()) == null) {
        guard.giveBack(Set.of(partition));
      }
    }
  }

  /** Returns what comes after the first record of {@code partition}, in the order of turns. */
  private Iterable<ConsumerRecord<byte[], byte[]>> after(
      TopicPartition partition, PartitionWork work) {
    long now = clock.nanoTime();
    if (!work.mayAskAhead(now)) {
      return List.of();
    }
    return () ->
        Stream.concat(
                work.upcoming(now).skip(1),
                works.entrySet().stream()
                    .filter(other -> !other.getKey().equals(partition))
                    .flatMap(other -> other.getValue().upcoming(now)))
            .iterator();
  }

  private boolean mayGoOn(long end) {
    return !stopping
        && !trouble.pauses()
        && !Thread.currentThread().isInterrupted()
        && clock.nanoTime() - end < 0;
  }

  private void pauseWhatWaits() {
    Set<TopicPartition> pause = new HashSet<>();
    Set<TopicPartition> resume = new HashSet<>();
    Set<TopicPartition> paused = consumer.paused();
    works.forEach(
        (partition, work) -> {
          boolean waits = trouble.pauses() || !work.isEmpty();
          if (waits != paused.contains(partition)) {
            (waits ? pause : resume).add(partition);
          }
        });
    consumer.pause(pause);
    consumer.resume(resume);
  }

  private Duration untilSomethingIsDue() {
    Duration pause = trouble.pauseLeft();
    if (!pause.isZero()) {
      return shorter(IDLE_POLL, pause);
    }
    long now = clock.nanoTime();
    Duration until = IDLE_POLL;
    for (PartitionWork work : works.values()) {
      Duration due = work.untilDue(now);
      until = due == null ? until : shorter(until, due);
    }
    return until;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> works.put(partition, new PartitionWork()));
    onAssigned.assigned(partitions);
  }

  /**
   * No record is in hand: this runs within a poll. What was asked for ahead is given back before
   * the next owner reads it; what is done is settled, and committed.
   */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      guard.giveBack(partitions);
      guard.settle(unsettled(partitions), settleTimeout);
      commits.now(partitions);
    } finally {
      onPartitionsLost(partitions);
    }
  }

  /** What is done is settled all the same: its token decides whether that counts. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    guard.giveBack(partitions);
    partitions.forEach(works::remove);
    trouble.gone(partitions);
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
            trouble.cause(),
            null);
  }

  /** Commits what is done, and leaves the group. */
  void close(Duration timeout) {
    try {
      guard.giveBack(works.keySet());
      guard.settle(unsettled(works.keySet()), timeout);
      commits.last(timeout);
    } finally {
      // Else the client's closing would try to commit once more, for longer than the time-out.
      works.clear();
      consumer.close(CloseOptions.timeout(timeout));
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
