// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import java.util.function.Function;

/** What became of one key of many that were asked for. */
public sealed interface Claimed {

  /**
   * The key is ours.
   *
   * @param held what to run and settle
   */
  record Acquired(Held held) implements Claimed {}

  /**
   * This process has the key already, for another delivery or the same one. Once that one's effect
   * is done this is a duplicate of it, to be acknowledged only after that one is settled.
   *
   * @param held the other one
   */
  record HeldHere(Held held) implements Claimed {}

  /**
   * There is nothing to run now.
   *
   * @param outcome why; never {@link Outcome.Executed}
   */
  record Answered(Outcome<StoredResult> outcome) implements Claimed {}

  /**
   * The record of this key cannot be read. Others can.
   *
   * @param cause what is wrong with it
   */
  record Unreadable(StoreCorrupt cause) implements Claimed {}

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Acquired, ? extends R> acquired,
      Function<? super HeldHere, ? extends R> heldHere,
      Function<? super Answered, ? extends R> answered,
      Function<? super Unreadable, ? extends R> unreadable) {
    if (this instanceof Acquired c) {
      return acquired.apply(c);
    }
    if (this instanceof HeldHere c) {
      return heldHere.apply(c);
    }
    if (this instanceof Answered c) {
      return answered.apply(c);
    }
    return unreadable.apply((Unreadable) this);
  }
}
