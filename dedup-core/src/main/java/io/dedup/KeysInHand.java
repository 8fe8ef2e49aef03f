// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.key.IdempotencyKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys that this process is at work on, so that it never waits for itself and never uses one
 * claim twice. Thread-safe.
 */
final class KeysInHand {

  /** By whom: a thread in a call, or a claim that outlives its call. */
  private final ConcurrentMap<IdempotencyKey, Object> takers = new ConcurrentHashMap<>();

  /** Takes the key for this thread. Returns whether it was free. */
  boolean take(IdempotencyKey key) {
    return takers.putIfAbsent(key, Thread.currentThread()) == null;
  }

  /** The key that this thread has taken is the claim's from now on. */
  void passOn(IdempotencyKey key, Held held) {
    takers.put(key, held);
  }

  /** Gives back a key that this thread has taken, unless it was passed on. */
  void giveBack(IdempotencyKey key) {
    takers.remove(key, Thread.currentThread());
  }

  /** Gives back a key that the claim has, if it still has it. */
  void giveBack(IdempotencyKey key, Held held) {
    takers.remove(key, held);
  }

  /** Returns whether {@code thread} has the key. */
  boolean isTakenBy(Thread thread, IdempotencyKey key) {
    return takers.get(key) == thread;
  }

  /** Returns the claim that has the key, null if none has. */
  @Nullable Held holder(IdempotencyKey key) {
    return takers.get(key) instanceof Held held ? held : null;
  }
}
