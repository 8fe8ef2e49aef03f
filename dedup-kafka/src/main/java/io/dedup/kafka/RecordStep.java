// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.kafka.topic.TopicReadException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the first record of a partition one step further: done, waiting, or a dead letter that is
 * kept. Confined to the poll loop's thread.
 */
final class RecordStep {

  private static final Logger LOG = LoggerFactory.getLogger(RecordStep.class);
  private static final BackOff TROUBLE = BackOff.untilBetter();

  private final RecordGuard guard;
  private final BackOff backOff;
  private final @Nullable DeadLetters deadLetters;
  private final ProcessClock clock;

  RecordStep(
      RecordGuard guard, BackOff backOff, @Nullable DeadLetters deadLetters, ProcessClock clock) {
    this.guard = guard;
    this.backOff = backOff;
    this.deadLetters = deadLetters;
    this.clock = clock;
  }

  /**
   * Takes the step.
   *
   * @throws StoreException if the store is in trouble, and not just with this record
   */
  void take(PartitionWork work, ConsumerRecord<byte[], byte[]> record) {
    if (work.letter() != null) {
      // Its handler has run as often as it may; what is left is to keep the letter.
      publish(work, work.letter());
      return;
    }
    try {
      apply(work, record, guard.process(record, work.isSuspect()));
    } catch (StoreCorrupt e) {
      // It is this key's record that cannot be read; other partitions go on.
      LOG.error("{} is held: {}", place(record), e.getMessage());
      hold(work, TROUBLE.after(work.troubled()));
    } catch (TopicReadException e) {
      LOG.warn("{} is held: {}", place(record), e.getMessage());
      hold(work, TROUBLE.after(work.troubled()));
    }
  }

  private void apply(
      PartitionWork work, ConsumerRecord<byte[], byte[]> record, Disposition disposition) {
    if (disposition instanceof Disposition.Done) {
      work.done();
    } else if (disposition instanceof Disposition.Hold hold) {
      LOG.debug("{} waits for {}", place(record), hold.pause());
      hold(work, hold.pause());
    } else if (disposition instanceof Disposition.Retry retry) {
      failed(work, record, retry.cause());
    } else {
      Disposition.Dead dead = (Disposition.Dead) disposition;
      bury(work, record, dead.reason(), dead.cause(), dead.detail());
    }
  }

  private void failed(PartitionWork work, ConsumerRecord<byte[], byte[]> record, Throwable cause) {
    int failures = work.failed();
    if (failures > backOff.retries()) {
      bury(work, record, DeadLetter.Reason.FAILED, cause, cause.toString());
      return;
    }
    Duration pause = backOff.after(failures);
    LOG.info("{} failed, retry {} of {} in {}", place(record), failures, backOff.retries(), pause);
    hold(work, pause);
  }

  private void bury(
      PartitionWork work,
      ConsumerRecord<byte[], byte[]> record,
      DeadLetter.Reason reason,
      @Nullable Throwable cause,
      String detail) {
    DeadLetter letter =
        new DeadLetter(record, guard.topic(record), guard.group(), reason, cause, detail);
    work.bury(letter);
    publish(work, letter);
  }

  private void publish(PartitionWork work, DeadLetter letter) {
    String place = place(letter.record());
    if (deadLetters == null) {
      LOG.error("{} is held: {}, and there are no dead letters to put it", place, letter.reason());
      hold(work, TROUBLE.after(work.troubled()));
      return;
    }
    try {
      deadLetters.publish(letter);
      LOG.warn("{} is a dead letter: {}", place, letter.reason());
      work.done();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.error("{} is held: its dead letter is not kept", place, e);
      hold(work, TROUBLE.after(work.troubled()));
    }
  }

  private void hold(PartitionWork work, Duration pause) {
    work.hold(clock.nanoTime(), pause);
  }

  private static String place(ConsumerRecord<?, ?> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }
}
