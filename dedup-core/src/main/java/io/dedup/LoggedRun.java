// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What is logged in this thread carries two names until it is closed: {@code dedup.key}, the id,
 * and {@code dedup.trace}, the claim's fencing token, which is what the store and whoever takes
 * over know the run by. Confined to a thread.
 */
public final class LoggedRun implements AutoCloseable {

  private static final String KEY = "dedup.key";
  private static final String TRACE = "dedup.trace";

  private final @Nullable String outerKey = MDC.get(KEY);
  private final @Nullable String outerTrace = MDC.get(TRACE);

  private LoggedRun(DedupContext context) {
    MDC.put(KEY, context.key().id());
    MDC.put(TRACE, Long.toString(context.fencingToken()));
  }

  /** Names the run in this thread's log lines. */
  public static LoggedRun of(DedupContext context) {
    return new LoggedRun(context);
  }

  /** A run may have begun within another, whose names come back. */
  @Override
  public void close() {
    putBack(KEY, outerKey);
    putBack(TRACE, outerTrace);
  }

  private static void putBack(String name, @Nullable String outer) {
    if (outer == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, outer);
    }
  }
}
