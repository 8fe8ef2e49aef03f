// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.claim.Origin;
import io.dedup.kafka.topic.RecordSource;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.util.function.Function;

/** What identifies a record, or why nothing does. */
public sealed interface RecordReading {

  /**
   * The record has a key.
   *
   * @param key its key
   * @param fingerprint of what it says
   * @param source where it comes from
   */
  record Keyed(IdempotencyKey key, Fingerprint fingerprint, RecordSource source)
      implements RecordReading {

    /** Returns where the record comes from, as a claim has it. */
    public Origin origin() {
      return source.origin();
    }
  }

  /**
   * The record has no id where one was looked for.
   *
   * @param where the place that was looked at, for people
   */
  record Unkeyed(String where) implements RecordReading {}

  /**
   * The record is not what the configuration says it is.
   *
   * @param where the place that was looked at, for people
   * @param why what is wrong with it; does not quote the record
   */
  record Unreadable(String where, String why) implements RecordReading {}

  /** Returns the result of the function that fits. */
  default <R> R fold(
      Function<? super Keyed, ? extends R> keyed,
      Function<? super Unkeyed, ? extends R> unkeyed,
      Function<? super Unreadable, ? extends R> unreadable) {
    if (this instanceof Keyed k) {
      return keyed.apply(k);
    }
    if (this instanceof Unkeyed u) {
      return unkeyed.apply(u);
    }
    return unreadable.apply((Unreadable) this);
  }
}
