// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/** The listener acknowledges a record: its effect is done, unless its value has failed. */
final class RecordAcknowledgment implements Acknowledgment {

  private static final Logger LOG = LoggerFactory.getLogger(RecordAcknowledgment.class);

  private final ConsumerWork work;
  private final Held held;
  private final ConsumerRecord<?, ?> record;
  private final Acknowledgment container;
  private final @Nullable AsyncRun value;

  RecordAcknowledgment(
      ConsumerWork work,
      Held held,
      ConsumerRecord<?, ?> record,
      Acknowledgment container,
      @Nullable AsyncRun value) {
    this.work = work;
    this.held = held;
    this.record = record;
    this.container = container;
    this.value = value;
  }

  @Override
  public void acknowledge() {
    Throwable failure = value == null ? null : value.failure();
    if (failure == null) {
      Settling.complete(work, List.of(record), held);
    } else {
      // The container goes on behind a failed value, and so do we; only nobody takes it for done.
      held.fail(failure);
    }
    work.closed(held);
    try {
      container.acknowledge();
    } catch (IllegalStateException e) {
      if (value == null) {
        throw e;
      }
      // The partition was given away meanwhile: there is nothing left to acknowledge.
      LOG.debug("late acknowledgment of {}@{}", Unsettled.partition(record), record.offset(), e);
    }
  }

  @Override
  public void nack(Duration sleep) {
    held.release();
    work.closed(held);
    container.nack(sleep);
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
