// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Held;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the poll loop does with a record after it was processed. */
sealed interface Disposition {

  /**
   * Its offset may be committed, as soon as the claim is settled.
   *
   * @param by the claim of this process by which it is done; null if the store knows it as done
   */
  record Done(@Nullable Held by) implements Disposition {}

  /**
   * It is neither done nor failed: its partition waits, however often that happens.
   *
   * @param pause how long
   */
  record Hold(Duration pause) implements Disposition {}

  /**
   * The handler failed: try again, as often as the back-off allows.
   *
   * @param cause what it threw
   */
  record Retry(Throwable cause) implements Disposition {}

  /**
   * Trying again would change nothing.
   *
   * @param reason why
   * @param cause what the handler threw, null if it did not run
   * @param detail for people
   */
  record Dead(DeadLetter.Reason reason, @Nullable Throwable cause, String detail)
      implements Disposition {}
}
