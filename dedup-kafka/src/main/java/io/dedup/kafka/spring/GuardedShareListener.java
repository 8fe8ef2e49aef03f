// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import io.dedup.LoggedRun;
import io.dedup.kafka.DeadLetter;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AcknowledgingShareConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Has the effect of each record of a share group happen once. Each delivery counts there, and after
 * a number of them a record is gone; so one that is busy waits in its consumer's thread, within the
 * broker's lock, and is given back only while deliveries are left.
 */
final class GuardedShareListener<K, V>
    implements AcknowledgingShareConsumerAwareMessageListener<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedShareListener.class);

  private final GenericMessageListener<?> listener;
  private final ContainerGuard guard;
  private final ShareTerms terms;
  private final @Nullable ConsumerRecordRecoverer recoverer;
  private final boolean acknowledges;

  /**
   * Makes it.
   *
   * @param recoverer takes what is not delivered any more, before it is rejected
   * @param acknowledges whether the listener does; else its return does
   */
  GuardedShareListener(
      GenericMessageListener<?> listener,
      ContainerGuard guard,
      ShareTerms terms,
      @Nullable ConsumerRecordRecoverer recoverer,
      boolean acknowledges) {
    this.listener = listener;
    this.guard = guard;
    this.terms = terms;
    this.recoverer = recoverer;
    this.acknowledges = acknowledges;
  }

  @Override
  public void onShareRecord(
      ConsumerRecord<K, V> record,
      @Nullable ShareAcknowledgment acknowledgment,
      ShareConsumer<?, ?> consumer) {
    if (acknowledgment == null) {
      throw new IllegalStateException("share acknowledgement: was implicit, must be explicit");
    }
    ConsumerWork work = new ConsumerWork(guard);
    if (deliveries(record) > 1) {
      // It may be what ended its last consumer.
      work.window().assigned(Set.of(Unsettled.partition(record)));
    }
    try {
      decide(work, record, acknowledgment, consumer, patient(work, record));
    } catch (RecordBusy e) {
      giveBack(record, acknowledgment, e);
    }
  }

  /** Waits for a busy key, or a store in trouble, as long as the broker's lock lets it. */
  private Verdict patient(ConsumerWork work, ConsumerRecord<K, V> record) {
    long end = guard.clock().nanoTime() + terms.patience().toNanos();
    Verdict verdict = work.verdict(record);
    while (isBusy(verdict) && guard.clock().nanoTime() - end < 0) {
      try {
        guard.clock().sleep(Verdicts.LONGEST_PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return verdict;
      }
      verdict = work.verdict(record);
    }
    return verdict;
  }

  private static boolean isBusy(Verdict verdict) {
    return verdict instanceof Verdict.Wait || verdict instanceof Verdict.Park;
  }

  private void decide(
      ConsumerWork work,
      ConsumerRecord<K, V> record,
      ShareAcknowledgment acknowledgment,
      ShareConsumer<?, ?> consumer,
      Verdict verdict) {
    if (verdict instanceof Verdict.Run run) {
      Held held = run.held();
      if (held == null) {
        call(record, acknowledgment, consumer);
        if (!acknowledges) {
          acknowledgment.acknowledge();
        }
      } else {
        run(record, acknowledgment, consumer, held);
      }
    } else if (verdict instanceof Verdict.Skip skip) {
      if (skip.twin() != null) {
        Settling.follow(work, List.of(record), skip.twin());
      }
      acknowledgment.acknowledge();
    } else if (verdict instanceof Verdict.Refuse refuse) {
      reject(record, acknowledgment, refuse.cause());
    } else {
      giveBack(record, acknowledgment, null);
    }
  }

  private void run(
      ConsumerRecord<K, V> record,
      ShareAcknowledgment acknowledgment,
      ShareConsumer<?, ?> consumer,
      Held held) {
    ShareAcknowledgment ours = new GuardedShareAcknowledgment(held, acknowledgment);
    try (LoggedRun logged = LoggedRun.of(held.context())) {
      call(record, ours, consumer);
    } catch (Throwable e) {
      // What is left to the container rejects the record, as it would without us.
      Settling.fail(held, e);
      throw e;
    }
    if (!acknowledges) {
      ours.acknowledge();
    }
  }

  @SuppressWarnings("unchecked")
  private void call(
      ConsumerRecord<K, V> record,
      ShareAcknowledgment acknowledgment,
      ShareConsumer<?, ?> consumer) {
    if (listener instanceof AcknowledgingShareConsumerAwareMessageListener<?, ?> aware) {
      ((AcknowledgingShareConsumerAwareMessageListener<K, V>) aware)
          .onShareRecord(record, acknowledgment, consumer);
    } else {
      ((GenericMessageListener<ConsumerRecord<K, V>>) listener).onMessage(record);
    }
  }

  /** Released, it is handed out again, which counts; after the last time it would be gone. */
  private void giveBack(
      ConsumerRecord<K, V> record, ShareAcknowledgment acknowledgment, @Nullable RecordBusy busy) {
    ConsumerWork.noLongerBusy();
    if (deliveries(record) < terms.deliveries()) {
      LOG.debug("{}@{} is given back", Unsettled.partition(record), record.offset(), busy);
      acknowledgment.release();
      return;
    }
    reject(
        record,
        acknowledgment,
        new RecordRefused(
            DeadLetter.Reason.DELIVERIES_USED_UP,
            "its key was busy, or the store in trouble, at all "
                + terms.deliveries()
                + " deliveries"));
  }

  /**
   * Kept elsewhere before it is gone. Where that fails it is handed out again, as long as
   * deliveries are left; without a recoverer, and after the last, the container rejects and logs
   * it.
   */
  private void reject(
      ConsumerRecord<K, V> record, ShareAcknowledgment acknowledgment, RecordRefused cause) {
    if (recoverer == null) {
      throw cause;
    }
    try {
      recoverer.accept(record, cause);
    } catch (RuntimeException e) {
      if (deliveries(record) >= terms.deliveries()) {
        throw e;
      }
      LOG.warn(
          "{}@{} is not kept elsewhere, and is given back: {}",
          Unsettled.partition(record),
          record.offset(),
          e.getClass().getName());
      acknowledgment.release();
      return;
    }
    acknowledgment.reject();
  }

  private static int deliveries(ConsumerRecord<?, ?> record) {
    return record.deliveryCount().map(Short::intValue).orElse(1);
  }
}
