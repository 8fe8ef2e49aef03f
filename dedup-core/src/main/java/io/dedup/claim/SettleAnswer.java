// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.Objects;
import java.util.function.Function;

/** What a store answers to a settlement. */
public sealed interface SettleAnswer {

  /** The settlement is stored, by this request or by an earlier copy of it. */
  record Applied() implements SettleAnswer {}

  /**
   * The claim is not, or no longer, the one that may settle this key so; nothing was changed.
   *
   * @param current who the key belongs to
   */
  record Fenced(Holder current) implements SettleAnswer {
    /** Checks that the holder is there. */
    public Fenced {
      Objects.requireNonNull(current, "current");
    }
  }

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Applied, ? extends R> applied,
      Function<? super Fenced, ? extends R> fenced) {
    return this instanceof Applied a ? applied.apply(a) : fenced.apply((Fenced) this);
  }
}
