// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done on one partition: the records that were read and are not done, in order, and
 * how far the offset may be committed. Confined to the poll loop's thread.
 */
final class PartitionWork {

  private final Deque<ConsumerRecord<byte[], byte[]>> pending = new ArrayDeque<>();
  private @Nullable OffsetAndMetadata afterPending;
  private @Nullable OffsetAndMetadata committable;
  private @Nullable DeadLetter letter;
  private @Nullable Future<?> keeping;
  private long dueNanos;
  private boolean waiting;
  private int failures;
  private int troubles;
  private boolean suspect = true;

  /**
   * Adds what a poll brought; {@code next} is the position behind it, which may be beyond the last
   * record. An interceptor of the user's may have lost it; that of an earlier poll is behind then.
   */
  void add(List<ConsumerRecord<byte[], byte[]>> records, @Nullable OffsetAndMetadata next) {
    pending.addAll(records);
    afterPending = next;
    if (next != null && pending.isEmpty()) {
      committable = next;
    }
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Returns the record that is next, null if there is none or it waits. */
  @Nullable ConsumerRecord<byte[], byte[]> due(long nowNanos) {
    if (waiting && nowNanos - dueNanos < 0) {
      return null;
    }
    return pending.peekFirst();
  }

  /** Returns how long until there is something to do, null if there is nothing. */
  @Nullable Duration untilDue(long nowNanos) {
    if (pending.isEmpty()) {
      return null;
    }
    return waiting ? Duration.ofNanos(Math.max(0, dueNanos - nowNanos)) : Duration.ZERO;
  }

  /** The first record is done. */
  void done() {
    ConsumerRecord<byte[], byte[]> record = pending.removeFirst();
    OffsetAndMetadata next = new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), "");
    committable = pending.isEmpty() && afterPending != null ? afterPending : next;
    waiting = false;
    letter = null;
    keeping = null;
    failures = 0;
    troubles = 0;
  }

  void hold(long nowNanos, Duration pause) {
    waiting = true;
    dueNanos = nowNanos + pause.toNanos();
  }

  /** Counts a failure of the handler. Returns how many in a row there were. */
  int failed() {
    return ++failures;
  }

  /** Counts trouble that is not the record's. Returns how many in a row there were. */
  int troubled() {
    return ++troubles;
  }

  /** The first record's trouble is over, or is another from now on. */
  void untroubled() {
    troubles = 0;
  }

  /** The first record is to become a dead letter, and is not processed again. */
  void bury(DeadLetter deadLetter) {
    letter = deadLetter;
  }

  @Nullable DeadLetter letter() {
    return letter;
  }

  /** Sets the attempt to keep the letter; null after it has failed. */
  void keeping(@Nullable Future<?> attempt) {
    keeping = attempt;
  }

  @Nullable Future<?> keeping() {
    return keeping;
  }

  @Nullable OffsetAndMetadata committable() {
    return committable;
  }

  /** An offset was committed; null if none was for this partition. */
  void committed(@Nullable OffsetAndMetadata offset) {
    if (offset != null && offset.equals(committable)) {
      committable = null;
      suspect = false;
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
