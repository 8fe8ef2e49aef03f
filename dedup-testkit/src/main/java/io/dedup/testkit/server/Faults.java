// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What a proxy does to its connections at the moment. Thread-safe. */
final class Faults {

  enum Mode {
    PASS,
    REFUSE,
    CUT_REPLIES,
    STALL
  }

  enum Direction {
    REQUESTS,
    REPLIES
  }

  private Mode mode = Mode.PASS;
  private long latencyNanos;
  private boolean dropNextReply;

  synchronized void become(Mode next) {
    mode = next;
    notifyAll();
  }

  synchronized void latency(Duration eachWay) {
    latencyNanos = eachWay.toNanos();
    notifyAll();
  }

  synchronized void dropNextReply() {
    dropNextReply = true;
  }

  synchronized void heal() {
    mode = Mode.PASS;
    latencyNanos = 0;
    dropNextReply = false;
    notifyAll();
  }

  synchronized boolean refuse() {
    return mode == Mode.REFUSE;
  }

  /** Waits until what came then is due; false if its connection is to be cut instead. */
  synchronized boolean awaitDue(long cameAtNanos) throws InterruptedException {
    long left = leftNanos(cameAtNanos);
    while (mode == Mode.STALL || (mode != Mode.REFUSE && left > 0)) {
      if (mode == Mode.STALL) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      left = leftNanos(cameAtNanos);
    }
    return mode != Mode.REFUSE;
  }

  private long leftNanos(long cameAtNanos) {
    return latencyNanos - (System.nanoTime() - cameAtNanos);
  }

  /** Whether bytes in that direction may go on; false if their connection is to be cut instead. */
  synchronized boolean mayPass(Direction direction) {
    if (direction == Direction.REQUESTS) {
      return true;
    }
    boolean dropped = dropNextReply;
    dropNextReply = false;
    return !dropped && mode != Mode.CUT_REPLIES;
  }
}
