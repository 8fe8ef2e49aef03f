// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot work as it is set up: a table, a constraint, a permission or a transaction is
 * missing.
 */
public final class StoreMisconfigured extends StoreException {

  private static final long serialVersionUID = 1;

  /**
   * Makes the exception.
   *
   * @param message what was found, what must be there, and how to get there
   * @param cause the driver's exception, if there is one
   */
  public StoreMisconfigured(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
