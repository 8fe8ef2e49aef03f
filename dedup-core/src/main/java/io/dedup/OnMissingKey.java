// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * What happens to a message that has no readable key. To try another source first, choose an
 * extractor that does.
 */
public enum OnMissingKey {
  /** It is an error of the message, and never skipped silently. */
  FAIL,
  /** It runs unguarded, each time it is delivered. */
  PROCESS
}
