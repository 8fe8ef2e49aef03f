// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import java.util.function.Function;

/** What to ask a store for a record, or why there is nothing to ask. */
public sealed interface RecordAsk {

  /**
   * The record has a key.
   *
   * @param ask what to ask
   */
  record Keyed(Ask ask) implements RecordAsk {}

  /** The record has no key, and the policy is to run it all the same. */
  record Unguarded() implements RecordAsk {}

  /**
   * The record has no key, or one that cannot be read, and the policy is to refuse it.
   *
   * @param where the place that was looked at
   * @param why what is wrong with it
   */
  record NoKey(String where, String why) implements RecordAsk {}

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Keyed, ? extends R> keyed,
      Function<? super Unguarded, ? extends R> unguarded,
      Function<? super NoKey, ? extends R> noKey) {
    if (this instanceof Keyed a) {
      return keyed.apply(a);
    }
    if (this instanceof Unguarded a) {
      return unguarded.apply(a);
    }
    return noKey.apply((NoKey) this);
  }
}
