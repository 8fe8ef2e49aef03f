// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** What a request gets while another with its key is being worked on. */
public enum Concurrent {
  /** An answer at once that says so. */
  FAIL_FAST,
  /** The other's answer, if it comes in time. */
  WAIT
}
