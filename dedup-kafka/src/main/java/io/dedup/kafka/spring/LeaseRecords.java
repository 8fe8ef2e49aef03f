// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import io.dedup.LoggedRun;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Records under leases: claimed ahead or alone, completed when the listener returns, when it
 * acknowledges, or when its value completes, and settled before their offsets are committed.
 */
final class LeaseRecords implements RecordFlow {

  private final ContainerGuard guard;

  LeaseRecords(ContainerGuard guard) {
    this.guard = guard;
  }

  @Override
  public <K, V> void handle(
      MessageListener<K, V> listener,
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async) {
    ConsumerWork work = ConsumerWork.of(guard);
    Verdict verdict = work.verdict(record);
    if (verdict instanceof Verdict.Run run) {
      Held held = run.held();
      if (held == null) {
        DelegateCall.call(listener, record, acknowledgment, consumer);
      } else {
        run(work, held, listener, record, acknowledgment, consumer, async);
      }
      return;
    }
    guard.stopObservation();
    if (verdict instanceof Verdict.Skip skip) {
      if (skip.twin() != null) {
        Settling.follow(work, List.of(record), skip.twin());
      }
      if (acknowledgment != null) {
        acknowledgment.acknowledge();
      }
    } else if (verdict instanceof Verdict.Park park) {
      work.park(park.twin(), record, acknowledgment);
    } else if (verdict instanceof Verdict.Wait wait) {
      throw wait.exception();
    } else {
      throw ((Verdict.Refuse) verdict).cause();
    }
  }

  private <K, V> void run(
      ConsumerWork work,
      Held held,
      MessageListener<K, V> listener,
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async) {
    AsyncRun value = async ? AsyncRun.begin() : null;
    Acknowledgment ours = null;
    if (acknowledgment != null) {
      ours = new RecordAcknowledgment(work, held, record, acknowledgment, value);
      if (!async) {
        work.opened(held, record);
      }
    }
    long started = guard.clock().nanoTime();
    try (LoggedRun logged = LoggedRun.of(held.context())) {
      DelegateCall.call(listener, record, ours, consumer);
    } catch (Throwable e) {
      Settling.fail(held, e);
      work.closed(held);
      throw e;
    } finally {
      AsyncRun.end();
      work.took(guard.clock().nanoTime() - started);
    }
    if (acknowledgment == null) {
      Settling.complete(work, List.of(record), held);
    }
  }
}
