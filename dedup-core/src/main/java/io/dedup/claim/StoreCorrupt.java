// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/**
 * The store holds something under a key that is no record of ours, or of a newer format. Nothing
 * was overwritten. Of a batch, other keys may have been changed: send them again one by one.
 */
public final class StoreCorrupt extends StoreException {

  private static final long serialVersionUID = 1;

  /**
   * Makes the exception.
   *
   * @param message what was found and what must be there
   */
  public StoreCorrupt(String message) {
    super(message, null);
  }

  /**
   * Makes the exception.
   *
   * @param message what was found and what must be there
   * @param cause thrown by who tried to read it
   */
  public StoreCorrupt(String message, Throwable cause) {
    super(message, cause);
  }
}
