// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.CommitIndeterminate;
import io.dedup.Held;
import io.dedup.LeaseLost;
import io.dedup.Outcome;
import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/** Settles claims such that offsets follow. */
final class Settling {

  private Settling() {}

  /**
   * The effect is done. Its records may be acknowledged: where commits wait for settlements, at
   * once; else it is stored first. Where a producer commits the offsets together with what the
   * listener has sent, the effect is done when that has committed: stored before, a commit that
   * fails would leave a key that is done and nothing sent.
   *
   * @throws RecordBusy if it could not be stored
   */
  static void complete(ConsumerWork work, List<? extends ConsumerRecord<?, ?>> records, Held held) {
    if (work.guard().byProducer()) {
      work.returned(held);
      return;
    }
    if (work.isBound()) {
      if (held.delivery().suspect()) {
        // Before the next one begins: should that end the process, this one was no part of it.
        requireDone(held.completeNow(null));
      } else {
        held.complete(null);
      }
      records.forEach(record -> work.unsettled().add(record, held));
      return;
    }
    requireDone(held.completeNow(null));
  }

  /**
   * Records are duplicates of what this process has just done.
   *
   * @throws RecordBusy if it could not be stored
   */
  static void follow(ConsumerWork work, List<? extends ConsumerRecord<?, ?>> records, Held twin) {
    if (work.isBound()) {
      records.forEach(record -> work.unsettled().add(record, twin));
      return;
    }
    work.guard().claims().settle(List.of(twin), work.guard().commandTimeout());
    requireDone(twin.outcome());
  }

  private static void requireDone(@Nullable Outcome<StoredResult> outcome) {
    if (outcome == null || !outcome.isDone()) {
      throw ConsumerWork.busy(
          "its effect is done, and its completion is not known to be stored",
          Verdicts.LONGEST_PAUSE,
          null);
    }
  }

  /**
   * The listener failed.
   *
   * @throws RecordBusy if that is no failure of the record: the store is in trouble, the claim was
   *     taken over, or it is not known whether a commit succeeded
   */
  static void fail(Held held, Throwable thrown) {
    Outcome<StoredResult> outcome = held.fail(cause(thrown));
    if (outcome instanceof Outcome.Failed || outcome.isDone()) {
      return;
    }
    if (Verdicts.of(outcome) instanceof Verdict.Wait wait) {
      throw ConsumerWork.busy(wait.why(), wait.pause(), thrown);
    }
  }

  /** Whether a listener has sent its record back, and let pass what that throws. */
  static boolean sentBack(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < 100; i++) {
      if (cause instanceof LateAcknowledgment.RolledBack) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** Whether what was thrown tells nothing of the effect. */
  static boolean isNoFailure(Throwable cause) {
    return cause instanceof StoreException
        || cause instanceof LeaseLost
        || cause instanceof CommitIndeterminate;
  }

  /** What is told apart from a failure may come wrapped; else it is what the listener threw. */
  static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < 100; i++) {
      if (isNoFailure(cause)) {
        return cause;
      }
      cause = cause.getCause();
    }
    return thrown instanceof ListenerExecutionFailedException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }
}
