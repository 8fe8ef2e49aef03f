// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

/** Whether duplicates of a topic are skipped. */
public enum Guard {
  /** They are. */
  ENFORCE,
  /** Everything runs; what would have been skipped is reported. */
  SHADOW,
  /** The topic is left alone. */
  OFF
}
