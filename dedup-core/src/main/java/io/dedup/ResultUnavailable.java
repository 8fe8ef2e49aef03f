// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * An effect is done and has an answer, which was too large to be kept or is gone. It is the cause
 * of the {@link io.dedup.claim.StoreCorrupt} that a duplicate gets.
 */
public final class ResultUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public ResultUnavailable(String message) {
    super(message);
  }
}
