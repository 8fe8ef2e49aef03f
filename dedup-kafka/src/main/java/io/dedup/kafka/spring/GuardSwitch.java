// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

/** Whether a topic's listeners are guarded. */
public enum GuardSwitch {
  /** Duplicates are skipped. */
  ENFORCE,
  /** Everything runs, and what would have been skipped or refused is logged. */
  SHADOW,
  /** The listener is left as it is. */
  OFF
}
