// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

/** How the bytes of a header are read. */
public enum HeaderType {

  /** UTF-8; other bytes are unreadable. */
  TEXT,

  /** Eight bytes, big-endian; the id is the number in decimal notation. */
  LONG,

  /** Four bytes, big-endian; the id is the number in decimal notation. */
  INT,

  /** Sixteen bytes, or the 36 characters of RFC 9562; the id is the latter, in lower case. */
  UUID
}
