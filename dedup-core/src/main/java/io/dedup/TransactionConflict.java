// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * The database ended a transaction in favour of another (SQLState 40001 or 40P01 and their kin).
 * Nothing was stored; it is not the handler's failure, and says nothing about duplicates.
 */
public final class TransactionConflict extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public TransactionConflict(String message, Throwable cause) {
    super(message, cause);
  }
}
