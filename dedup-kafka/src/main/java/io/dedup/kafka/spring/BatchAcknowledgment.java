// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * The listener acknowledges a batch from which duplicates were left out: its places are mapped to
 * those of the container's batch, and duplicates go with the record before them.
 */
final class BatchAcknowledgment implements Acknowledgment {

  private static final Logger LOG = LoggerFactory.getLogger(BatchAcknowledgment.class);

  private final ConsumerWork work;
  private final BatchPlan<?, ?> plan;
  private final Acknowledgment container;
  private final @Nullable AsyncRun value;
  private int partial = -1;

  BatchAcknowledgment(
      ConsumerWork work, BatchPlan<?, ?> plan, Acknowledgment container, @Nullable AsyncRun value) {
    this.work = work;
    this.plan = plan;
    this.container = container;
    this.value = value;
  }

  @Override
  public void acknowledge() {
    if (partial >= 0) {
      // As the container has it: after a part was acknowledged, the next record alone.
      acknowledge(partial + 1);
      return;
    }
    Throwable failure = value == null ? null : value.failure();
    if (failure == null) {
      complete(0, plan.size());
      plan.skipped().forEach(this::follow);
    } else {
      work.guard().claims().fail(plan.held(0, plan.size()), failure);
      plan.held(0, plan.size()).forEach(work::closed);
    }
    if (plan.refused() != null) {
      // What is behind the refused record is not done: the error handler commits what is before.
      return;
    }
    try {
      container.acknowledge();
    } catch (IllegalStateException e) {
      if (value == null) {
        throw e;
      }
      LOG.debug("late acknowledgment of a batch", e);
    }
  }

  @Override
  public void acknowledge(int index) {
    check(index);
    complete(partial + 1, index + 1);
    partial = index;
    int to = plan.acknowledgedTo(index);
    followUpTo(to);
    if (plan.refused() == null) {
      container.acknowledge(to);
    }
  }

  @Override
  public void nack(int index, Duration sleep) {
    check(index);
    complete(Math.max(0, partial + 1), index);
    int place = plan.positions().get(index);
    followUpTo(place - 1);
    List<Held> back = plan.held(index, plan.size());
    work.guard().claims().release(back);
    back.forEach(work::closed);
    container.nack(place, sleep);
  }

  private void check(int index) {
    if (index < 0 || index >= plan.size()) {
      throw new IllegalArgumentException(
          "index: was " + index + ", must be 0 to " + (plan.size() - 1));
    }
  }

  private void complete(int from, int to) {
    for (int i = from; i < to; i++) {
      Held held = plan.held().get(i);
      if (held != null) {
        Settling.complete(work, List.of(plan.delivered().get(i)), held);
        work.closed(held);
      }
    }
  }

  private void followUpTo(int place) {
    List<? extends ConsumerRecord<?, ?>> before = plan.original().subList(0, place + 1);
    for (Map.Entry<? extends ConsumerRecord<?, ?>, @Nullable Held> one :
        plan.skipped().entrySet()) {
      if (before.contains(one.getKey())) {
        follow(one.getKey(), one.getValue());
      }
    }
  }

  private void follow(ConsumerRecord<?, ?> record, @Nullable Held twin) {
    if (twin != null) {
      Settling.follow(work, List.of(record), twin);
    }
  }

  @Override
  public boolean isOutOfOrderCommit() {
    return container.isOutOfOrderCommit();
  }

  @Override
  public String toString() {
    return "guarded " + container;
  }
}
