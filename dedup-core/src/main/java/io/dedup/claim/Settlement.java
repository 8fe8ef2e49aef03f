// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a claim has to say of itself. All of them apply only while the claim is its key's newest.
 */
public sealed interface Settlement {

  /** The handler is about to start. */
  record Start() implements Settlement {}

  /**
   * The claim is still worked on.
   *
   * @param lease how long it holds the key from now; above 0. A lease that lasts longer already is
   *     not cut
   * @param ttl how long the record is kept after the lease; not below the lease
   */
  record Renew(Duration lease, Duration ttl) implements Settlement {
    /** Checks both durations. */
    public Renew {
      Durations.checkLease(lease, ttl);
    }
  }

  /**
   * The effect is done.
   *
   * @param result what it answered, null for nothing to keep
   * @param ttl how long the key is known as done, from now; above 0
   */
  record Complete(@Nullable StoredResult result, Duration ttl) implements Settlement {
    /** Checks the ttl. */
    public Complete {
      Durations.checkTtl(ttl);
    }
  }

  /**
   * The result of an effect that was completed without one.
   *
   * @param result what it answered
   */
  record Attach(StoredResult result) implements Settlement {
    /** Checks the result. */
    public Attach {
      Objects.requireNonNull(result, "result");
    }
  }

  /**
   * The handler failed, and nothing was done.
   *
   * @param error for people; cut to {@value #ERROR_MAX} characters
   * @param ttl how long the failure is remembered, from now; above 0
   * @param backOff how long nobody may try again; 0 for no wait
   */
  record Fail(String error, Duration ttl, Duration backOff) implements Settlement {

    /** The longest error kept, in characters. */
    public static final int ERROR_MAX = 500;

    /** Checks the durations and cuts the error. */
    public Fail {
      Durations.checkTtl(ttl);
      Durations.checkNotNegative("backOff", backOff);
      if (ttl.compareTo(backOff) < 0) {
        throw new IllegalArgumentException(
            "ttl: was " + ttl + ", must not be shorter than the back-off, " + backOff);
      }
      error = StoredText.fit(error, ERROR_MAX);
    }
  }

  /** The claim is given back, and nothing was done. */
  record Release() implements Settlement {}
}
