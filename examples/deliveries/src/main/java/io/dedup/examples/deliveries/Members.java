// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

/** The members of the group. */
interface Members extends AutoCloseable {

  /** Ends one of them by force, at a random moment, and lets another join. */
  void killOne();

  /** Returns how many were ended by force. */
  int killed();

  /**
   * Checks that they are at work.
   *
   * @throws IllegalStateException if one has ended by itself
   */
  void check();

  @Override
  void close();
}
