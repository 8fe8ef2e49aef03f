// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.util.Objects;
import java.util.function.Function;

/** What a {@link KeyExtractor} found: an id, nothing, or something that is no id. */
public sealed interface ExtractedId {

  /**
   * The message has an id.
   *
   * @param id not empty
   */
  record Found(String id) implements ExtractedId {
    /** Checks that there is an id. */
    public Found {
      if (Objects.requireNonNull(id, "id").isEmpty()) {
        throw new IllegalArgumentException("id: was empty, must have at least one character");
      }
    }
  }

  /**
   * The message has no id where one was looked for, or an empty one.
   *
   * @param where the place that was looked at, for people
   */
  record Missing(String where) implements ExtractedId {}

  /**
   * There is something in the id's place that is no id.
   *
   * @param where the place that was looked at, for people
   * @param why what is wrong with it
   */
  record Unreadable(String where, String why) implements ExtractedId {}

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Found, ? extends R> found,
      Function<? super Missing, ? extends R> missing,
      Function<? super Unreadable, ? extends R> unreadable) {
    if (this instanceof Found f) {
      return found.apply(f);
    }
    if (this instanceof Missing m) {
      return missing.apply(m);
    }
    return unreadable.apply((Unreadable) this);
  }
}
