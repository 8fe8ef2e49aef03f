// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time that a store judges leases and expiry by.
 *
 * <p>In production it is the server's own clock, read by the very command that judges. A test of a
 * store moves it by hand, forward only, with the same scripts and statements.
 */
@FunctionalInterface
public interface StoreTime {

  /** Returns the time to judge by, or null to let the server read its clock. */
  @Nullable Instant now();

  /** Returns the server's clock. */
  static StoreTime ofServer() {
    return () -> null;
  }
}
