// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer. The command may have been executed or not; sent again unchanged, it
 * gives the answer that was lost.
 */
public final class StoreUnavailable extends StoreException {

  private static final long serialVersionUID = 1;

  /**
   * Makes the exception.
   *
   * @param message which store, what was asked, what happened
   * @param cause the driver's exception, if there is one
   */
  public StoreUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
