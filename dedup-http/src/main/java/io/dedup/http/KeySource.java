// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Where the client's part of a key comes from. */
public enum KeySource {
  /** The header. */
  HEADER,
  /** An expression over the request; the header is not read. */
  SPEL,
  /** Both, joined. */
  HEADER_AND_SPEL
}
