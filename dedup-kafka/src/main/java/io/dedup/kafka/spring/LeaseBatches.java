// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Batches under leases: what is done is left out, and the rest completes when the listener returns,
 * acknowledges, or its value completes.
 */
final class LeaseBatches implements BatchFlow {

  private final ContainerGuard guard;

  LeaseBatches(ContainerGuard guard) {
    this.guard = guard;
  }

  @Override
  public <K, V> void handle(
      BatchMessageListener<K, V> listener,
      List<ConsumerRecord<K, V>> records,
      @Nullable ConsumerRecords<K, V> polled,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async) {
    ConsumerWork work = ConsumerWork.of(guard);
    List<Verdict> verdicts = work.verdicts(records);
    requireNoneWaits(verdicts);
    BatchPlan<K, V> plan = BatchPlan.of(work, records, verdicts);
    AsyncRun value = async ? AsyncRun.begin() : null;
    BatchAcknowledgment ours =
        acknowledgment == null ? null : new BatchAcknowledgment(work, plan, acknowledgment, value);
    if (plan.size() > 0) {
      run(work, plan, listener, polled, ours, consumer, async);
    } else if (plan.refused() == null && acknowledgment != null) {
      acknowledgment.acknowledge();
    }
    if (acknowledgment == null || plan.refused() != null) {
      complete(work, plan, 0, plan.size());
    }
    plan.skipped()
        .forEach(
            (record, twin) -> {
              if (twin != null && (acknowledgment == null || plan.refused() != null)) {
                Settling.follow(work, List.of(record), twin);
              }
            });
    if (plan.refused() != null) {
      throw new BatchListenerFailedException(
          String.valueOf(plan.refused().cause().getMessage()),
          plan.refused().cause(),
          plan.refused().record());
    }
  }

  /** What is claimed is given back before a wait: else two members could wait for each other. */
  private void requireNoneWaits(List<Verdict> verdicts) {
    Verdict.Wait wait = null;
    for (Verdict verdict : verdicts) {
      if (verdict instanceof Verdict.Wait waits) {
        wait = waits;
      } else if (verdict instanceof Verdict.Park) {
        wait = new Verdict.Wait(Verdicts.LONGEST_PAUSE, "its key is in the listener's hand", null);
      }
    }
    if (wait != null) {
      guard
          .claims()
          .release(
              verdicts.stream()
                  .filter(Verdict.Run.class::isInstance)
                  .map(verdict -> ((Verdict.Run) verdict).held())
                  .filter(Objects::nonNull)
                  .toList());
      throw wait.exception();
    }
  }

  private <K, V> void run(
      ConsumerWork work,
      BatchPlan<K, V> plan,
      BatchMessageListener<K, V> listener,
      @Nullable ConsumerRecords<K, V> polled,
      @Nullable BatchAcknowledgment ours,
      @Nullable Consumer<?, ?> consumer,
      boolean async) {
    if (ours != null && !async) {
      for (int i = 0; i < plan.size(); i++) {
        Held held = plan.held().get(i);
        if (held != null) {
          work.opened(held, plan.delivered().get(i));
        }
      }
    }
    try {
      DelegateCall.call(listener, plan.deliveredOf(polled), plan.delivered(), ours, consumer);
    } catch (Throwable e) {
      throw failed(work, plan, e);
    } finally {
      AsyncRun.end();
    }
  }

  /** Settles what is known of a failed batch. Returns what to tell the container. */
  private <K, V> RuntimeException failed(
      ConsumerWork work, BatchPlan<K, V> plan, Throwable thrown) {
    BatchListenerFailedException named = named(thrown);
    int index = named == null ? -1 : index(plan, named);
    RuntimeException told;
    if (named == null || index < 0) {
      List<Held> all = plan.held(0, plan.size());
      Throwable cause = Settling.cause(thrown);
      if (Settling.isNoFailure(cause)) {
        guard.claims().release(all);
        told =
            ConsumerWork.busy("its effect is not known to be done", Verdicts.LONGEST_PAUSE, thrown);
      } else {
        guard.claims().fail(all, cause);
        told = rethrown(thrown);
      }
    } else {
      complete(work, plan, 0, index);
      Throwable cause = named.getCause() == null ? named : named.getCause();
      guard.claims().fail(plan.held(index, index + 1), cause);
      guard.claims().release(plan.held(index + 1, plan.size()));
      // Named by the record: the container's batch has other indices than the listener's.
      told =
          named.getRecord() != null
              ? rethrown(thrown)
              : new BatchListenerFailedException(
                  String.valueOf(named.getMessage()), thrown, plan.delivered().get(index));
    }
    plan.held(0, plan.size()).forEach(work::closed);
    return told;
  }

  private static RuntimeException rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
  }

  static @Nullable BatchListenerFailedException named(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < 100; i++) {
      if (cause instanceof BatchListenerFailedException failed) {
        return failed;
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Returns the place in the listener's batch, -1 if it is none. */
  static int index(BatchPlan<?, ?> plan, BatchListenerFailedException named) {
    ConsumerRecord<?, ?> record = named.getRecord();
    if (record == null) {
      return named.getIndex() < plan.size() ? named.getIndex() : -1;
    }
    for (int i = 0; i < plan.size(); i++) {
      ConsumerRecord<?, ?> one = plan.delivered().get(i);
      if (one.offset() == record.offset()
          && Unsettled.partition(one).equals(Unsettled.partition(record))) {
        return i;
      }
    }
    return -1;
  }

  private static void complete(ConsumerWork work, BatchPlan<?, ?> plan, int from, int to) {
    for (int i = from; i < to; i++) {
      Held held = plan.held().get(i);
      if (held != null) {
        Settling.complete(work, List.of(plan.delivered().get(i)), held);
        work.closed(held);
      }
    }
  }
}
