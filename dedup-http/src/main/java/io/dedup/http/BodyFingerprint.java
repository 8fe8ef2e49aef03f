// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** What of a body tells a repeated request from another one with the same key. */
public enum BodyFingerprint {
  /**
   * JSON by its content (member order and spacing do not matter, the digits of numbers do), forms
   * and multipart requests by their parts, others byte by byte.
   */
  CANONICAL,
  /** Each byte of it; forms and multipart requests by their parts all the same. */
  RAW,
  /** The values of chosen expressions. */
  FIELDS,
  /** Nothing. */
  NONE
}
