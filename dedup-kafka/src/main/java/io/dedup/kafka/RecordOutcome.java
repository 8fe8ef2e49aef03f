// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Outcome;
import java.util.function.Function;

/** What became of a record. Trouble with the store is none of these: it is an exception. */
public sealed interface RecordOutcome {

  /**
   * The record has a key, and the handler ran under a claim or not at all.
   *
   * @param outcome what became of the key's effect
   */
  record Guarded(Outcome<Void> outcome) implements RecordOutcome {}

  /** The record has no key, and the policy was to run it all the same; the handler returned. */
  record Unguarded() implements RecordOutcome {}

  /**
   * The record has no key, and the policy was to run it all the same; the handler failed.
   *
   * @param cause what it threw
   */
  record UnguardedFailed(Throwable cause) implements RecordOutcome {}

  /**
   * The record has no key, or one that cannot be read, and the policy is to refuse it.
   *
   * @param where the place that was looked at
   * @param why what is wrong with it
   */
  record NoKey(String where, String why) implements RecordOutcome {}

  /** Returns whether the effect is known to be done: the offset may be committed. */
  default boolean isDone() {
    return fold(g -> g.outcome().isDone(), u -> true, f -> false, n -> false);
  }

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Guarded, ? extends R> guarded,
      Function<? super Unguarded, ? extends R> unguarded,
      Function<? super UnguardedFailed, ? extends R> unguardedFailed,
      Function<? super NoKey, ? extends R> noKey) {
    if (this instanceof Guarded o) {
      return guarded.apply(o);
    }
    if (this instanceof Unguarded o) {
      return unguarded.apply(o);
    }
    if (this instanceof UnguardedFailed o) {
      return unguardedFailed.apply(o);
    }
    return noKey.apply((NoKey) this);
  }
}
