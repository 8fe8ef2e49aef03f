// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

/**
 * What becomes of an id that is joined of several parts if some of them, but not all, are missing.
 */
public enum MissingPart {

  /** The record is unreadable. */
  FAIL,

  /** The id is missing. */
  MISSING,

  /**
   * The id is made of the others. It differs from every id in which the part is there, whatever the
   * part is.
   */
  ABSENT
}
