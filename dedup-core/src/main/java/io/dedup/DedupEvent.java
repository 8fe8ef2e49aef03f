// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Holder;
import io.dedup.claim.StoreException;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for meters and logs. Events are told in the thread in which they happen,
 * after the fact, and a crash may lose them: nothing may depend on them.
 */
public sealed interface DedupEvent {

  /**
   * A key was claimed. Told before the handler starts.
   *
   * @param key the key
   * @param token the claim's fencing token
   * @param attempt the number of this run
   * @param takenOver whether a predecessor may have started and never settled
   */
  record Claimed(IdempotencyKey key, long token, int attempt, boolean takenOver)
      implements DedupEvent {}

  /**
   * A handler returned or threw. Told before its outcome is stored.
   *
   * @param key the key
   * @param elapsed how long it ran
   * @param failure what it threw, null if it returned
   * @param label the delivery's, empty for none
   */
  record HandlerEnded(
      IdempotencyKey key, Duration elapsed, @Nullable Throwable failure, String label)
      implements DedupEvent {

    /** Tells of a delivery without a label. */
    public HandlerEnded(IdempotencyKey key, Duration elapsed, @Nullable Throwable failure) {
      this(key, elapsed, failure, "");
    }
  }

  /**
   * A delivery has its outcome. Told once for each delivery, after what is stored is stored; in a
   * transaction of the caller, before its commit.
   *
   * @param key the key
   * @param outcome the outcome
   * @param label the delivery's, empty for none
   * @param waited how long it waited for another who had the key
   * @param ttl how long its key is known as done, 0 if that is not known
   */
  record Decided(
      IdempotencyKey key, Outcome<?> outcome, String label, Duration waited, Duration ttl)
      implements DedupEvent {

    /** Tells of a delivery of which nothing else is known. */
    public Decided(IdempotencyKey key, Outcome<?> outcome) {
      this(key, outcome, "", Duration.ZERO, Duration.ZERO);
    }
  }

  /**
   * A claim was lost that is not settled: another has its key, or the store has forgotten it. Told
   * once for each claim.
   *
   * @param key the key
   * @param current who has it
   */
  record LeaseTaken(IdempotencyKey key, Holder current) implements DedupEvent {}

  /**
   * An effect is done, or may be, and it is not known whether its completion is stored.
   *
   * @param key the key
   * @param cause what went wrong
   */
  record SettleIndeterminate(IdempotencyKey key, Throwable cause) implements DedupEvent {}

  /**
   * The store did not answer, or not what a store may answer.
   *
   * @param verb what was asked
   * @param cause what went wrong
   */
  record StoreFailed(String verb, StoreException cause) implements DedupEvent {}
}
