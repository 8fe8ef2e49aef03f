// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import org.jspecify.annotations.Nullable;

/** A contender at work. Closing it ends its consumer and its connections. */
interface Session extends AutoCloseable {

  /** What ended it before its time, null if nothing has. */
  @Nullable Throwable failure();

  @Override
  void close();
}
