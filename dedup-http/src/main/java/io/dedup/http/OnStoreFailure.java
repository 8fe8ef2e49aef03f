// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** What a request gets when the store cannot be asked whether it is a repetition. */
public enum OnStoreFailure {
  /** It is refused, and may be sent again. */
  FAIL_CLOSED,
  /** It runs unguarded: it may run twice. */
  FAIL_OPEN
}
