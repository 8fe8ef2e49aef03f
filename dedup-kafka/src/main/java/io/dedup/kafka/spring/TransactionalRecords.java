// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Ask;
import io.dedup.Outcome;
import io.dedup.ResultCodec;
import io.dedup.claim.StoreException;
import io.dedup.kafka.RecordAsk;
import io.dedup.kafka.topic.TopicReadException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Records in transactions: the inbox row and what the listener writes are committed before the
 * record is acknowledged, whoever acknowledges it.
 */
final class TransactionalRecords implements RecordFlow {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalRecords.class);
  private static final Duration WAIT = Duration.ofMillis(500);

  private final ContainerGuard guard;

  TransactionalRecords(ContainerGuard guard) {
    this.guard = guard;
  }

  @Override
  public <K, V> void handle(
      MessageListener<K, V> listener,
      ConsumerRecord<K, V> record,
      @Nullable Acknowledgment acknowledgment,
      @Nullable Consumer<?, ?> consumer,
      boolean async) {
    GuardSwitch guarding = guard.guard(record.topic());
    if (guarding == GuardSwitch.OFF || Window.isUnreadable(record)) {
      DelegateCall.call(listener, record, acknowledgment, consumer);
      return;
    }
    AtomicReference<@Nullable LateAcknowledgment> late = new AtomicReference<>();
    Runnable effect =
        () -> {
          // A new one for each try: the database may end a transaction in favour of others.
          late.set(acknowledgment == null ? null : new LateAcknowledgment(acknowledgment));
          DelegateCall.call(listener, record, late.get(), consumer);
        };
    @Nullable Verdict verdict = verdict(record, effect, late);
    if (verdict == null) {
      return;
    }
    if (guarding == GuardSwitch.SHADOW && !(verdict instanceof Verdict.Run)) {
      LOG.info(
          "shadow: {}@{} would not have been handled: {}",
          Unsettled.partition(record),
          record.offset(),
          verdict.getClass().getSimpleName());
      verdict = new Verdict.Run(null);
    }
    if (verdict instanceof Verdict.Run) {
      DelegateCall.call(listener, record, acknowledgment, consumer);
      return;
    }
    guard.stopObservation();
    if (verdict instanceof Verdict.Wait wait) {
      throw wait.exception();
    }
    if (verdict instanceof Verdict.Refuse refuse) {
      throw refuse.cause();
    }
    if (acknowledgment != null) {
      acknowledgment.acknowledge();
    }
  }

  /** Returns null if the listener has run. */
  private @Nullable Verdict verdict(
      ConsumerRecord<?, ?> record,
      Runnable effect,
      AtomicReference<@Nullable LateAcknowledgment> late) {
    ConsumerWork work = ConsumerWork.of(guard);
    try {
      guard.prepare(List.of(record.topic()));
      boolean suspect = work.window().isSuspect(record);
      RecordAsk asked = guard.asks().of(record, record, suspect);
      if (asked instanceof RecordAsk.Keyed keyed) {
        Outcome<Void> outcome = execute(keyed.ask(), effect);
        work.untroubled();
        return acted(outcome, late.get());
      }
      return asked instanceof RecordAsk.NoKey noKey
          ? Verdicts.noKey(noKey.where(), noKey.why())
          : new Verdict.Run(null);
    } catch (StoreException | TopicReadException e) {
      return work.troubled(e);
    }
  }

  private Outcome<Void> execute(Ask ask, Runnable effect) {
    return guard
        .deduplicator()
        .execute(
            ask.delivery(),
            context -> {
              effect.run();
              return null;
            },
            ResultCodec.none(),
            ask.policy().with(p -> p.inProgressWait(WAIT)));
  }

  private static @Nullable Verdict acted(Outcome<Void> outcome, @Nullable LateAcknowledgment late) {
    if (outcome instanceof Outcome.Executed) {
      if (late != null) {
        late.passOn();
      }
      return null;
    }
    if (outcome instanceof Outcome.Failed<Void> failed) {
      if (late != null && Settling.sentBack(failed.cause())) {
        late.passOn();
        return null;
      }
      throw thrownOn(failed.cause());
    }
    return Verdicts.of(outcome);
  }

  private static RuntimeException thrownOn(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure
        ? failure
        : new ListenerExecutionFailedException("listener failed", cause);
  }
}
