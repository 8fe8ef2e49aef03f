// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Held;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done on one partition: the records that were read and are not done, those that are
 * done and not settled, in order, and how far the offset may be committed. Confined to the poll
 * loop's thread.
 */
final class PartitionWork {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionWork.class);

  private final Deque<Entry> pending = new ArrayDeque<>();
  private final Deque<Entry> unsettled = new ArrayDeque<>();
  private @Nullable OffsetAndMetadata afterPending;
  private @Nullable OffsetAndMetadata committable;
  private boolean suspect = true;

  /** A record, and how it fares. */
  private static final class Entry {
    private final ConsumerRecord<byte[], byte[]> record;
    private @Nullable Held by;
    private @Nullable DeadLetter letter;
    private @Nullable Future<?> keeping;
    private long dueNanos;
    private boolean waiting;
    private int failures;
    private int troubles;

    Entry(ConsumerRecord<byte[], byte[]> record) {
      this.record = record;
    }

    boolean isDue(long nowNanos) {
      return !waiting || nowNanos - dueNanos >= 0;
    }

    /** Whether nothing is known against it: it may be asked for together with others. */
    boolean isOrdinary() {
      return letter == null && troubles == 0;
    }
  }

  /**
   * Adds what a poll brought; {@code next} is the position behind it, which may be beyond the last
   * record. An interceptor of the user's may have lost it; that of an earlier poll is behind then.
   */
  void add(List<ConsumerRecord<byte[], byte[]>> records, @Nullable OffsetAndMetadata next) {
    records.forEach(record -> pending.add(new Entry(record)));
    afterPending = next;
    if (next != null && pending.isEmpty() && unsettled.isEmpty()) {
      committable = next;
    }
  }

  /** Returns whether there is no record that is not done. */
  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Returns the record that is next, null if there is none or it waits. */
  @Nullable ConsumerRecord<byte[], byte[]> due(long nowNanos) {
    Entry first = pending.peekFirst();
    return first == null || !first.isDue(nowNanos) ? null : first.record;
  }

  /** Returns what may be asked for ahead, the first record included, in order. */
  Stream<ConsumerRecord<byte[], byte[]>> upcoming(long nowNanos) {
    return mayAskAhead(nowNanos)
        ? pending.stream().takeWhile(Entry::isOrdinary).map(entry -> entry.record)
        : Stream.empty();
  }

  /** Returns whether the first record may be asked for together with others. */
  boolean mayAskAhead(long nowNanos) {
    Entry first = pending.peekFirst();
    return first != null && !suspect && first.isDue(nowNanos) && first.isOrdinary();
  }

  /** Returns how long until there is something to do, null if there is nothing. */
  @Nullable Duration untilDue(long nowNanos) {
    Entry first = pending.peekFirst();
    if (first == null) {
      return null;
    }
    return first.waiting ? Duration.ofNanos(Math.max(0, first.dueNanos - nowNanos)) : Duration.ZERO;
  }

  /**
   * The first record is done.
   *
   * @param by the claim that has to be settled before its offset is committed, null if none has
   */
  void done(@Nullable Held by) {
    Entry first = pending.removeFirst();
    first.by = by;
    unsettled.addLast(first);
  }

  void hold(long nowNanos, Duration pause) {
    Entry first = first();
    first.waiting = true;
    first.dueNanos = nowNanos + pause.toNanos();
  }

  /** Counts a failure of the handler. Returns how many in a row there were. */
  int failed() {
    return ++first().failures;
  }

  /** Counts trouble that is not the record's. Returns how many in a row there were. */
  int troubled() {
    return ++first().troubles;
  }

  /** The first record's trouble is over, or is another from now on. */
  void untroubled() {
    first().troubles = 0;
  }

  /** The first record is to become a dead letter, and is not processed again. */
  void bury(DeadLetter deadLetter) {
    first().letter = deadLetter;
  }

  @Nullable DeadLetter letter() {
    return first().letter;
  }

  /** Sets the attempt to keep the letter; null after it has failed. */
  void keeping(@Nullable Future<?> attempt) {
    first().keeping = attempt;
  }

  @Nullable Future<?> keeping() {
    return first().keeping;
  }

  private Entry first() {
    return Objects.requireNonNull(pending.peekFirst());
  }

  /** Returns the claims that have to be settled before all that is done may be committed. */
  List<Held> unsettled() {
    return unsettled.stream()
        .flatMap(entry -> Stream.ofNullable(entry.by))
        .filter(held -> held.outcome() == null)
        .toList();
  }

  /**
   * Returns the offset to commit, null if there is no news. What is done and could not be stored as
   * done becomes pending again, with all that is behind it: the store is asked what is the case.
   */
  @Nullable OffsetAndMetadata committable() {
    boolean moved = false;
    while (!unsettled.isEmpty() && isSettled(unsettled.getFirst())) {
      Entry entry = unsettled.removeFirst();
      if (entry.by != null && !isStored(entry.by)) {
        unsettled.addFirst(entry);
        askAgain();
        break;
      }
      committable =
          new OffsetAndMetadata(entry.record.offset() + 1, entry.record.leaderEpoch(), "");
      moved = true;
    }
    if (moved && pending.isEmpty() && unsettled.isEmpty() && afterPending != null) {
      committable = afterPending;
    }
    return committable;
  }

  private static boolean isSettled(Entry entry) {
    return entry.by == null || entry.by.outcome() != null;
  }

  private static boolean isStored(Held held) {
    return Objects.requireNonNull(held.outcome()).isDone();
  }

  private void askAgain() {
    LOG.warn(
        "{} is asked for again: its effect is done, and its completion is not stored",
        Place.of(unsettled.getFirst().record));
    while (!unsettled.isEmpty()) {
      pending.addFirst(new Entry(unsettled.removeLast().record));
    }
  }

  /** An offset was committed; null if none was for this partition. */
  void committed(@Nullable OffsetAndMetadata offset) {
    if (offset != null) {
      suspect = false;
      if (offset.equals(committable)) {
        committable = null;
      }
    }
  }

  /**
   * Until an offset was committed since the assignment, a record here may be what ended the
   * partition's last owner.
   */
  boolean isSuspect() {
    return suspect;
  }
}
