// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.claim.StoreException;
import io.dedup.kafka.topic.TopicReadException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a guarded consumer does beside the client: before and after each poll, before each commit,
 * and when partitions come and go. Confined to the consumer's thread.
 */
final class ConsumerFlow<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerFlow.class);
  private static final Duration AT_THE_END = Duration.ofSeconds(5);
  private static final Duration LONG_HELD = Duration.ofMinutes(1);

  private final Consumer<K, V> client;
  private final ConsumerWork work;
  private final ContainerGuard guard;
  private final Holds holds;

  /** Since when the partitions that wait have waited. */
  private final Map<TopicPartition, Long> heldSinceNanos = new HashMap<>();

  private final Set<TopicPartition> longHeld = new HashSet<>();

  ConsumerFlow(Consumer<K, V> client, ConsumerWork work) {
    this.client = client;
    this.work = work;
    this.guard = work.guard();
    this.holds = new Holds(client, guard.clock());
    work.window().assigned(client.assignment());
  }

  /** Polls the client. */
  @FunctionalInterface
  interface Poll<K, V> {
    ConsumerRecords<K, V> within(Duration timeout) throws Throwable;
  }

  Holds holds() {
    return holds;
  }

  ConsumerRecords<K, V> poll(Duration timeout, Poll<K, V> poll) throws Throwable {
    // Whatever was claimed and not started went another way: a filter, an interceptor, a seek.
    work.uncommitted();
    work.window().releaseAll();
    rewind();
    commitDeferred();
    work.takeWaits()
        .forEach(
            (partition, pause) -> {
              if (client.assignment().contains(partition)) {
                holds.hold(partition, pause);
              }
            });
    holds.resumeDue();
    ConsumerRecords<K, V> polled = poll.within(holds.untilDue(timeout));
    if (polled.isEmpty()) {
      return polled;
    }
    return claimed(polled);
  }

  private void rewind() {
    work.unsettled()
        .takeRewinds()
        .forEach(
            (partition, offset) -> {
              if (client.assignment().contains(partition)) {
                holds.sought(List.of(partition));
                work.unsettled().sought(List.of(partition));
                client.seek(partition, offset);
              }
            });
  }

  private void commitDeferred() {
    Map<TopicPartition, OffsetAndMetadata> deferred = work.unsettled().deferred();
    if (deferred.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> allowed =
        work.unsettled().committable(deferred, Duration.ZERO);
    if (allowed.isEmpty()) {
      return;
    }
    try {
      client.commitSync(allowed);
      committed(allowed);
    } catch (WakeupException e) {
      // Whoever wakes the consumer wants the poll to end, and nothing else.
      work.unsettled().defer(allowed);
      throw e;
    } catch (RetriableException e) {
      work.unsettled().defer(allowed);
      LOG.debug("offsets that had to wait are not committed yet", e);
    } catch (KafkaException e) {
      // Its records are read again by whoever owns the partition, and known as done there.
      LOG.debug("offsets that had to wait are not committed", e);
    }
  }

  /** Claims what was polled; what cannot be had now is held back with all that is behind it. */
  private ConsumerRecords<K, V> claimed(ConsumerRecords<K, V> polled) {
    if (!guard.claimsAhead()) {
      return polled;
    }
    Map<TopicPartition, Busy> busy = new HashMap<>();
    try {
      guard.prepare(
          polled.partitions().stream().map(TopicPartition::topic).collect(Collectors.toSet()));
      for (Window.Ahead one : work.window().fill(polled)) {
        TopicPartition partition = Unsettled.partition(one.record());
        Duration pause = busy.containsKey(partition) ? null : pause(one);
        if (pause != null) {
          LOG.debug(
              "{}@{} waits for {}: {}", partition, one.record().offset(), pause, one.claimed());
          busy.put(partition, new Busy(one.record().offset(), pause));
        }
      }
      work.untroubled();
    } catch (StoreException | TopicReadException e) {
      work.troubled(e);
      work.window().releaseAll();
      for (TopicPartition partition : polled.partitions()) {
        long first = polled.records(partition).get(0).offset();
        busy.put(partition, new Busy(first, Verdicts.LONGEST_PAUSE));
      }
    }
    noteHeld(polled.partitions(), busy.keySet());
    return busy.isEmpty() ? polled : without(polled, busy);
  }

  /** Returns how long the record's partition waits, null if it does not. */
  private @Nullable Duration pause(Window.Ahead one) {
    if (guard.guard(one.record().topic()) == GuardSwitch.SHADOW) {
      return null;
    }
    return one.claimed()
        .fold(
            acquired -> null,
            heldHere -> null,
            answered ->
                Verdicts.of(answered.outcome()) instanceof Verdict.Wait wait ? wait.pause() : null,
            unreadable -> Verdicts.LONGEST_PAUSE);
  }

  /** Where a partition waits, and how long. */
  private record Busy(long offset, Duration pause) {}

  private ConsumerRecords<K, V> without(
      ConsumerRecords<K, V> polled, Map<TopicPartition, Busy> busy) {
    Map<TopicPartition, List<ConsumerRecord<K, V>>> kept = new LinkedHashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<K, V>> records = polled.records(partition);
      Busy waits = busy.get(partition);
      if (waits != null) {
        long limit = waits.offset();
        records.stream()
            .filter(r -> r.offset() == limit)
            .findFirst()
            .ifPresent(work.window()::releaseFrom);
        records = records.stream().filter(r -> r.offset() < limit).toList();
        holds.hold(partition, limit, waits.pause());
        next.remove(partition);
      }
      if (!records.isEmpty()) {
        kept.put(partition, new ArrayList<>(records));
      }
    }
    return new ConsumerRecords<>(kept, next);
  }

  private void noteHeld(Set<TopicPartition> polled, Set<TopicPartition> held) {
    long now = guard.clock().nanoTime();
    for (TopicPartition partition : polled) {
      if (!held.contains(partition)) {
        heldSinceNanos.remove(partition);
        longHeld.remove(partition);
      } else {
        long since = heldSinceNanos.computeIfAbsent(partition, p -> now);
        if (now - since > LONG_HELD.toNanos() && longHeld.add(partition)) {
          LOG.warn(
              "{} of {} waits for more than {}: its next record's key is in progress elsewhere",
              partition,
              guard.listener(),
              LONG_HELD);
        }
      }
    }
  }

  Map<TopicPartition, OffsetAndMetadata> committable(
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    return work.unsettled().committable(offsets, guard.commandTimeout());
  }

  void committed(Map<TopicPartition, OffsetAndMetadata> commit) {
    work.unsettled().committed(commit);
  }

  /**
   * A commit was interrupted by somebody who wanted the consumer to wake: late acknowledgments do.
   * The container takes it for done, and would not commit again before there is another record.
   */
  void interrupted(Map<TopicPartition, OffsetAndMetadata> commit) {
    work.unsettled().defer(commit);
  }

  boolean isSettled() {
    return work.unsettled().settleAll(guard.commandTimeout());
  }

  /** Whoever seeks decides what comes next. */
  void sought(Collection<TopicPartition> partitions) {
    work.window().release(partitions);
    work.unsettled().sought(partitions);
    holds.sought(partitions);
  }

  void assigned(Collection<TopicPartition> partitions) {
    work.window().assigned(partitions);
    try {
      guard.assigned(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
    } catch (TopicReadException e) {
      LOG.warn("{}: topics are not read again: {}", guard.listener(), e.getMessage());
    }
  }

  /** Before the container's own commit: nothing new is started. */
  void leaving(Collection<TopicPartition> partitions) {
    work.window().release(partitions);
  }

  /** The partitions are somebody else's. What is done is settled all the same, by its token. */
  void left(Collection<TopicPartition> partitions) {
    work.window().release(partitions);
    work.unsettled().forget(partitions);
    work.releaseOpen(partitions);
    holds.forget(partitions);
    partitions.forEach(heldSinceNanos::remove);
    longHeld.removeAll(partitions);
  }

  /** The consumer ends: what is done is stored, what is not started is given back. */
  void ends() {
    work.uncommitted();
    work.window().releaseAll();
    work.unsettled().settleAll(AT_THE_END);
    work.releaseOpen(null);
  }

  void closed() {
    ends();
    work.ended();
  }
}
