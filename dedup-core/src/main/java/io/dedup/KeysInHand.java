// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The keys that this process is at work on, so that it never waits for itself and never uses one
 * claim twice. Thread-safe.
 */
final class KeysInHand {

  private final ConcurrentMap<IdempotencyKey, Thread> threads = new ConcurrentHashMap<>();

  /** Takes the key for this thread. Returns whether it was free. */
  boolean take(IdempotencyKey key) {
    return threads.putIfAbsent(key, Thread.currentThread()) == null;
  }

  /** Gives the key back. */
  void giveBack(IdempotencyKey key) {
    threads.remove(key);
  }

  /** Returns whether {@code thread} has the key. */
  boolean isTakenBy(Thread thread, IdempotencyKey key) {
    return threads.get(key) == thread;
  }
}
