// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that wait. They are paused beside those that the container has paused, and neither
 * resumes the other's: an error handler polls while it waits and throws away what it gets, so a
 * partition that resumed by itself then would lose records. Confined to the consumer's thread.
 */
final class Holds {

  private final Consumer<?, ?> consumer;
  private final ProcessClock clock;
  private final Map<TopicPartition, Long> dueNanos = new HashMap<>();
  private final Set<TopicPartition> askedFor = new HashSet<>();

  Holds(Consumer<?, ?> consumer, ProcessClock clock) {
    this.consumer = consumer;
    this.clock = clock;
  }

  /** Holds a partition back at {@code offset}. */
  void hold(TopicPartition partition, long offset, Duration pause) {
    consumer.seek(partition, offset);
    hold(partition, pause);
  }

  /** Holds a partition back where it is. */
  void hold(TopicPartition partition, Duration pause) {
    consumer.pause(List.of(partition));
    dueNanos.put(partition, clock.nanoTime() + pause.toNanos());
  }

  /** Resumes what has waited long enough, unless the container wants it paused. */
  void resumeDue() {
    long now = clock.nanoTime();
    List<TopicPartition> due =
        dueNanos.entrySet().stream()
            .filter(entry -> now - entry.getValue() >= 0)
            .map(Map.Entry::getKey)
            .toList();
    due.forEach(dueNanos::remove);
    consumer.resume(due.stream().filter(p -> !askedFor.contains(p)).toList());
  }

  /** Returns the time until something is due, at most {@code longest}. */
  Duration untilDue(Duration longest) {
    long now = clock.nanoTime();
    return dueNanos.values().stream()
        .map(due -> Duration.ofNanos(Math.max(0, due - now)))
        .filter(left -> left.compareTo(longest) < 0)
        .min(Duration::compareTo)
        .orElse(longest);
  }

  boolean isEmpty() {
    return dueNanos.isEmpty();
  }

  /** The container pauses partitions. */
  void pause(Collection<TopicPartition> partitions) {
    consumer.pause(partitions);
    askedFor.addAll(partitions);
  }

  /** The container resumes partitions; those that wait go on waiting. */
  void resume(Collection<TopicPartition> partitions) {
    askedFor.removeAll(partitions);
    consumer.resume(partitions.stream().filter(p -> !dueNanos.containsKey(p)).toList());
  }

  /** Returns what the container has paused. */
  Set<TopicPartition> paused() {
    Set<TopicPartition> paused = new HashSet<>(consumer.paused());
    paused.removeIf(p -> !askedFor.contains(p));
    return paused;
  }

  /** Whoever seeks decides anew what comes next. */
  void sought(Collection<TopicPartition> partitions) {
    List<TopicPartition> held = partitions.stream().filter(dueNanos::containsKey).toList();
    held.forEach(dueNanos::remove);
    consumer.resume(held.stream().filter(p -> !askedFor.contains(p)).toList());
  }

  void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(dueNanos::remove);
    askedFor.removeAll(partitions);
  }
}
