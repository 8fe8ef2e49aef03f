// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/**
 * Is told what happens. What it throws is logged and otherwise ignored; it must be quick and
 * thread-safe.
 */
@FunctionalInterface
public interface DedupListener {

  /** Something happened. */
  void on(DedupEvent event);
}
