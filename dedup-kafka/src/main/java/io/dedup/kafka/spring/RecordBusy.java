// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A record cannot be handled now: another has its key, or the store is in trouble. It is no failure
 * of the record: its partition waits, and no attempt is counted.
 */
final class RecordBusy extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Duration pause;

  RecordBusy(String why, Duration pause, @Nullable Throwable cause) {
    super(why, cause, false, false);
    this.pause = pause;
  }

  Duration pause() {
    return pause;
  }

  /** Returns the one in a chain of causes, null if there is none. */
  static @Nullable RecordBusy in(@Nullable Throwable thrown) {
    // A chain may be a ring, made by hand.
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < 100; i++) {
      if (cause instanceof RecordBusy busy) {
        return busy;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
