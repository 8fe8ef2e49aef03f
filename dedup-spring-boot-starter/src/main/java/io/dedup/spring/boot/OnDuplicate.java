// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

/** What a listener that replies does about a duplicate. */
public enum OnDuplicate {
  /** It is skipped. */
  SKIP,
  /** Its stored reply is sent again. */
  REPLAY
}
