// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be done with a record. */
sealed interface Verdict {

  /**
   * The listener gets it.
   *
   * @param held the claim it runs under, null if it runs without
   */
  record Run(@Nullable Held held) implements Verdict {}

  /**
   * Its effect is done: it is acknowledged.
   *
   * @param twin the claim of this process that did it and may not be settled yet; null if the store
   *     knows it as done
   */
  record Skip(@Nullable Held twin) implements Verdict {}

  /**
   * The listener has another record with its key and has not said yet what became of that: it is
   * acknowledged with that one.
   *
   * @param twin that one's claim
   */
  record Park(Held twin) implements Verdict {}

  /**
   * It waits.
   *
   * @param pause how long, until it is tried again
   * @param why for people
   */
  record Wait(Duration pause, String why, @Nullable Throwable cause) implements Verdict {
    RecordBusy exception() {
      return ConsumerWork.busy(why, pause, cause);
    }
  }

  /**
   * It is not handled, and trying again does not help.
   *
   * @param cause why
   */
  record Refuse(RecordRefused cause) implements Verdict {}
}
