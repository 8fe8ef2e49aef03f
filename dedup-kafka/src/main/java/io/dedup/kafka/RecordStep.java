// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreException;
import io.dedup.kafka.topic.TopicReadException;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the first record of a partition one step further: done, waiting, or a dead letter that is
 * kept. Confined to the poll loop's thread.
 *
 * <p>What user code throws may quote a record, so a log tells its class, and all of it at DEBUG.
 */
final class RecordStep {

  private static final Logger LOG = LoggerFactory.getLogger(RecordStep.class);
  private static final BackOff TROUBLE = BackOff.untilBetter();

  /** Most dead letters are kept within this. For the others the loop does not wait. */
  private static final Duration SOON = Duration.ofMillis(100);

  private final RecordGuard guard;
  private final BackOff backOff;
  private final @Nullable Function<DeadLetter, Future<?>> deadLetters;
  private final ProcessClock clock;

  /**
   * Makes the steps.
   *
   * @param deadLetters begins to keep a letter; null if nobody does
   */
  RecordStep(
      RecordGuard guard,
      BackOff backOff,
      @Nullable Function<DeadLetter, Future<?>> deadLetters,
      ProcessClock clock) {
    this.guard = guard;
    this.backOff = backOff;
    this.deadLetters = deadLetters;
    this.clock = clock;
  }

  /**
   * Takes the step.
   *
   * @param next what comes after the record unless something comes between
   * @return whether the record was processed, so that the store had its say
   * @throws StoreException if the store is in trouble, and not just with this record
   */
  boolean take(
      PartitionWork work,
      ConsumerRecord<byte[], byte[]> record,
      Iterable<ConsumerRecord<byte[], byte[]>> next) {
    DeadLetter letter = work.letter();
    if (letter != null) {
      // Its handler has run as often as it may; what is left is to keep the letter.
      keep(work, letter);
      return false;
    }
    try {
      Disposition disposition = guard.process(record, work.isSuspect(), next);
      work.untroubled();
      apply(work, record, disposition);
      return true;
    } catch (StoreCorrupt e) {
      // It is this key's record that cannot be read; other partitions go on.
      troubled(work, record, String.valueOf(e.getMessage()), null);
      return true;
    } catch (TopicReadException e) {
      troubled(work, record, String.valueOf(e.getMessage()), null);
      return false;
    } catch (StoreException e) {
      // Should it be this record's trouble alone, others are tried before it is tried again.
      hold(work, TROUBLE.after(work.troubled()));
      throw e;
    } catch (RuntimeException | Error e) {
      if (concernsTheProcess(e)) {
        throw e;
      }
      // User code beside the handler (a ttl policy, say), or a handler's error, which is stored as
      // its failure. Were the loop to end, each member in turn would end at this record.
      failed(work, record, e);
      return false;
    }
  }

  /** Whether something is wrong with the process, rather than with the record. */
  static boolean concernsTheProcess(Throwable e) {
    return e instanceof VirtualMachineError && !(e instanceof StackOverflowError);
  }

  private void apply(
      PartitionWork work, ConsumerRecord<byte[], byte[]> record, Disposition disposition) {
    if (disposition instanceof Disposition.Done done) {
      work.done(done.by());
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
    LOG.debug("{} failed", place(record), cause);
    if (failures > backOff.retries()) {
      bury(work, record, DeadLetter.Reason.FAILED, cause, cause.toString());
      return;
    }
    Duration pause = backOff.after(failures);
    LOG.info(
        "{} failed with {}, retry {} of {} in {}",
        place(record),
        cause.getClass().getName(),
        failures,
        backOff.retries(),
        pause);
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
    keep(work, letter);
  }

  private void keep(PartitionWork work, DeadLetter letter) {
    if (deadLetters == null) {
      troubled(work, letter.record(), reason(letter) + ", and there are no dead letters", null);
      return;
    }
    Future<?> before = work.keeping();
    Future<?> keeping = before == null ? deadLetters.apply(letter) : before;
    work.keeping(keeping);
    try {
      keeping.get(before == null ? SOON.toMillis() : 0, TimeUnit.MILLISECONDS);
      LOG.warn("{} is a dead letter: {}", place(letter.record()), reason(letter));
      work.done(null);
    } catch (TimeoutException e) {
      hold(work, SOON);
    } catch (ExecutionException e) {
      work.keeping(null);
      troubled(work, letter.record(), "its dead letter is not kept", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hold(work, SOON);
    }
  }

  private static String reason(DeadLetter letter) {
    Throwable cause = letter.cause();
    return cause == null
        ? letter.reason().name()
        : letter.reason() + ", " + cause.getClass().getName();
  }

  /** Waits for what ends by itself, or by somebody's help. Said once, not at each try. */
  private void troubled(
      PartitionWork work, ConsumerRecord<?, ?> record, String why, @Nullable Throwable cause) {
    int troubles = work.troubled();
    Level level = troubles == 1 ? Level.ERROR : Level.DEBUG;
    LOG.atLevel(level).setCause(cause).log("{} is held: {}", place(record), why);
    hold(work, TROUBLE.after(troubles));
  }

  private void hold(PartitionWork work, Duration pause) {
    work.hold(clock.nanoTime(), pause);
  }

  private static String place(ConsumerRecord<?, ?> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }
}
