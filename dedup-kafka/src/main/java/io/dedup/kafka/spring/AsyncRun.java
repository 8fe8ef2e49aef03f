// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import org.jspecify.annotations.Nullable;

/**
 * A call of an asynchronous listener. The container acknowledges failed values too, so what became
 * of the value is noted before anybody acknowledges. Thread-safe.
 */
final class AsyncRun {

  private static final ThreadLocal<@Nullable AsyncRun> CURRENT = new ThreadLocal<>();

  private volatile @Nullable Throwable failure;

  /** Begins a call in this thread. */
  static AsyncRun begin() {
    AsyncRun run = new AsyncRun();
    CURRENT.set(run);
    return run;
  }

  static void end() {
    CURRENT.remove();
  }

  static @Nullable AsyncRun current() {
    return CURRENT.get();
  }

  /** The value has failed. */
  void failed(Throwable cause) {
    failure = cause;
  }

  /** Returns why the value failed, null if it did not. */
  @Nullable Throwable failure() {
    return failure;
  }
}
