// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * The answer to a commit was lost: what was written may be stored or not. The next claim of the key
 * tells.
 */
public final class CommitIndeterminate extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public CommitIndeterminate(String message, Throwable cause) {
    super(message, cause);
  }
}
