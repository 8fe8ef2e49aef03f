// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Transition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the transition table says to one request.
 *
 * @param <A> the kind of answer
 */
@FunctionalInterface
interface Decision<A> {
  /** Decides by the record that was found, null if there is none, and the store's time. */
  Transition<A> of(@Nullable ClaimRecord found, Instant now);
}
