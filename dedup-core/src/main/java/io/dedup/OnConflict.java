// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/** What happens when a key that stands for one message arrives with another. */
public enum OnConflict {
  /** The delivery is refused with {@link Outcome.Conflict}. */
  REJECT,
  /** Messages are told apart by their keys alone; fingerprints are not kept. */
  IGNORE
}
