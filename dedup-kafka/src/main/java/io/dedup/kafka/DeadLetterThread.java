// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Has dead letters kept, one after the other, in a thread of its own: a topic that cannot be
 * written blocks for as long as its producer waits, and the partitions that have no letters go on
 * meanwhile. Thread-safe.
 */
final class DeadLetterThread implements AutoCloseable {

  private final DeadLetters deadLetters;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(DeadLetterThread::named);

  DeadLetterThread(DeadLetters deadLetters) {
    this.deadLetters = deadLetters;
  }

  private static Thread named(Runnable task) {
    Thread thread = new Thread(task, "dedup-dead-letters");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns what ends once the letter is kept, or fails if it is not known to be. */
  Future<?> keep(DeadLetter letter) {
    return thread.submit(
        () -> {
          deadLetters.publish(letter);
          return null;
        });
  }

  /** Waits for nothing: a letter that is not known to be kept is its record's next owner's. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
