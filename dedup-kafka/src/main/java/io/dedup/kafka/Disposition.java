// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the poll loop does with a record after it was processed. */
sealed interface Disposition {

  /** Its offset may be committed. */
  record Done() implements Disposition {}

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
