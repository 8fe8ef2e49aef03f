// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import org.jspecify.annotations.Nullable;

/** What reads the topic, in threads of its own. */
interface Intake extends AutoCloseable {

  /** Begins to read. */
  void start();

  /** Returns what ended it, null if it has not failed. */
  @Nullable Throwable failure();

  /** Ends it, when what is in hand is done. */
  @Override
  void close();
}
