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

  /** Waits until bytes may go on; false if their connection is to be cut instead. */
  synchronized boolean mayPass(Direction direction, long cameAtNanos) throws InterruptedException {
    long left = latencyNanos - (System.nanoTime() - cameAtNanos);
    while (mode == Mode.STALL || (mode != Mode.REFUSE && left > 0)) {
      if (mode == Mode.STALL) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      left = latencyNanos - (System.nanoTime() - cameAtNanos);
    }
    if (mode == Mode.REFUSE) {
      return false;
    }
    return direction == Direction.REQUESTS || replyMayPass();
  }

  private boolean replyMayPass() {
    if (dropNextReply) {
      dropNextReply = false;
      return false;
    }
    return mode != Mode.CUT_REPLIES;
  }
}
