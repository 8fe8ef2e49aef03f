// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** What a request gets whose effect is done. */
public enum Replay {
  /** Status, allowed headers and body, as they were. */
  BYTES,
  /** Status and allowed headers, no body. */
  STATUS_ONLY,
  /** A problem that says it is done. The only choice for responses that are streamed. */
  NONE,
  /** What the {@link OnReplay} makes of it that the operation names. */
  REBUILD
}
