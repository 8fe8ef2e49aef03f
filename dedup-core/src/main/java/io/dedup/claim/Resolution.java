// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an operator found out about a key in doubt. */
public sealed interface Resolution {

  /**
   * The effect is done.
   *
   * @param result what duplicates shall get, null for nothing
   * @param ttl how long the key is known as done, from now; above 0
   */
  record Done(@Nullable StoredResult result, Duration ttl) implements Resolution {
    /** Checks the ttl. */
    public Done {
      Durations.checkTtl(ttl);
    }
  }

  /** The effect is not done; the next delivery runs. */
  record NotDone() implements Resolution {}
}
