// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Ask;
import io.dedup.BatchEntry;
import io.dedup.Outcome;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import io.dedup.kafka.RecordAsk;
import io.dedup.kafka.topic.TopicReadException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Batches in transactions: the inbox rows of a batch and all that its listener writes are one
 * transaction.
 *
 * <p>Where a listener names the record it failed at, its container commits the offsets before that.
 * The transaction was rolled back as a whole, though, so the records before are handled again, in
 * one of their own, before the container hears of the failure.
 */
final class TransactionalBatches implements BatchFlow {

  private final ContainerGuard guard;

  TransactionalBatches(ContainerGuard guard) {
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
    try {
      new Call<>(listener, records, polled, acknowledgment, consumer).handle();
    } catch (BatchListenerFailedException e) {
      int failed = e.getRecord() == null ? -1 : records.indexOf(e.getRecord());
      if (failed <= 0 || e.getCause() instanceof RecordRefused) {
        throw e;
      }
      List<ConsumerRecord<K, V>> before = records.subList(0, failed);
      Acknowledgment nobody = acknowledgment == null ? null : Unheard.INSTANCE;
      handle(listener, before, polled, nobody, consumer, async);
      throw e;
    } catch (StoreException | TopicReadException e) {
      throw ConsumerWork.of(guard).troubled(e).exception();
    }
  }

  /** The container learns of the records before a failure by that failure. */
  private enum Unheard implements Acknowledgment {
    INSTANCE;

    @Override
    public void acknowledge() {}

    @Override
    public void acknowledge(int index) {}
  }

  /** One batch in one transaction. Confined to the consumer's thread. */
  private final class Call<K, V> {
    private final BatchMessageListener<K, V> listener;
    private final List<ConsumerRecord<K, V>> records;
    private final @Nullable ConsumerRecords<K, V> polled;
    private final @Nullable Acknowledgment acknowledgment;
    private final @Nullable Consumer<?, ?> consumer;
    private final ConsumerWork work = ConsumerWork.of(guard);

    /** What is known of a record before its key is asked for. */
    private final Map<Integer, Verdict> decided = new HashMap<>();

    /** Which place of the batch each question is for. */
    private final List<Integer> asked = new ArrayList<>();

    private final List<Ask> asks = new ArrayList<>();
    private @Nullable BatchPlan<K, V> plan;
    private @Nullable SaidInBatch said;

    Call(
        BatchMessageListener<K, V> listener,
        List<ConsumerRecord<K, V>> records,
        @Nullable ConsumerRecords<K, V> polled,
        @Nullable Acknowledgment acknowledgment,
        @Nullable Consumer<?, ?> consumer) {
      this.listener = listener;
      this.records = records;
      this.polled = polled;
      this.acknowledgment = acknowledgment;
      this.consumer = consumer;
    }

    void handle() {
      read();
      List<Outcome<StoredResult>> outcomes;
      try {
        outcomes = guard.deduplicator().executeTogether(asks, this::effects);
      } catch (RuntimeException e) {
        throw named(e);
      } catch (Exception e) {
        throw new ListenerExecutionFailedException("listener failed", e);
      }
      for (Outcome<StoredResult> outcome : outcomes) {
        if (outcome instanceof Outcome.Indeterminate
            && Verdicts.of(outcome) instanceof Verdict.Wait wait) {
          throw wait.exception();
        }
      }
      work.untroubled();
      acknowledge(Objects.requireNonNull(plan, "plan"));
    }

    private void read() {
      for (int i = 0; i < records.size(); i++) {
        ConsumerRecord<K, V> record = records.get(i);
        if (guard.guard(record.topic()) == GuardSwitch.OFF || Window.isUnreadable(record)) {
          decided.put(i, new Verdict.Run(null));
          continue;
        }
        guard.prepare(List.of(record.topic()));
        RecordAsk ask = guard.asks().of(record, record, work.window().isSuspect(record));
        if (ask instanceof RecordAsk.Keyed keyed) {
          asked.add(i);
          asks.add(keyed.ask());
        } else {
          decided.put(
              i,
              ask instanceof RecordAsk.NoKey noKey
                  ? Verdicts.noKey(noKey.where(), noKey.why())
                  : new Verdict.Run(null));
        }
      }
    }

    /** Runs in the transaction. Returns which questions' effects are done. */
    private List<Integer> effects(List<BatchEntry> entries) {
      List<Verdict> verdicts = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        int question = asked.indexOf(i);
        Verdict verdict =
            question < 0 ? Objects.requireNonNull(decided.get(i)) : verdict(entries.get(question));
        if (verdict instanceof Verdict.Wait wait
            && guard.guard(records.get(i).topic()) != GuardSwitch.SHADOW) {
          throw wait.exception();
        }
        verdicts.add(work.inShadow(records.get(i), verdict));
      }
      BatchPlan<K, V> planned = BatchPlan.of(work, records, verdicts);
      SaidInBatch heard = acknowledgment == null ? null : new SaidInBatch(planned, acknowledgment);
      plan = planned;
      said = heard;
      if (planned.size() > 0) {
        DelegateCall.call(
            listener, planned.deliveredOf(polled), planned.delivered(), heard, consumer);
      }
      int done = heard == null ? planned.size() : heard.doneBefore();
      List<Integer> effects = new ArrayList<>();
      for (int place : planned.positions().subList(0, done)) {
        int question = asked.indexOf(place);
        if (question >= 0 && entries.get(question) instanceof BatchEntry.Acquired) {
          effects.add(question);
        }
      }
      return effects;
    }

    private static Verdict verdict(BatchEntry entry) {
      if (entry instanceof BatchEntry.Acquired) {
        return new Verdict.Run(null);
      }
      // A repeat is done with the first of its key, or rolled back with it.
      return entry instanceof BatchEntry.Answered answered
          ? Verdicts.of(answered.outcome())
          : new Verdict.Skip(null);
    }

    private void acknowledge(BatchPlan<K, V> done) {
      BatchPlan.Refused<K, V> refused = done.refused();
      if (refused != null) {
        throw new BatchListenerFailedException(
            String.valueOf(refused.cause().getMessage()), refused.cause(), refused.record());
      }
      if (acknowledgment == null) {
        return;
      }
      if (done.size() == 0) {
        acknowledgment.acknowledge();
      } else if (said != null) {
        said.passOn();
      }
    }

    /** The container's batch has other indices than the listener's. */
    private RuntimeException named(RuntimeException thrown) {
      BatchListenerFailedException failed = LeaseBatches.named(thrown);
      if (failed == null || plan == null) {
        return thrown;
      }
      int index = LeaseBatches.index(plan, failed);
      return index < 0
          ? thrown
          : new BatchListenerFailedException(
              String.valueOf(failed.getMessage()), thrown, plan.delivered().get(index));
    }
  }
}
