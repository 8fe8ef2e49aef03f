// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Which texts are accepted as a client's key. */
public enum ClientKeyFormat {
  /** Visible ASCII. */
  ANY,
  /** A UUID; upper and lower case are the same key. */
  UUID
}
