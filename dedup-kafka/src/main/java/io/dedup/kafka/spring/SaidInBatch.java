// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Keeps what a batch listener says in its transaction until that has committed, and maps its places
 * to those of the container's batch. What it says later is passed on at once. Thread-safe.
 */
final class SaidInBatch implements Acknowledgment {

  private final BatchPlan<?, ?> plan;
  private final Acknowledgment container;
  private final List<Runnable> said = new ArrayList<>();
  private int doneBefore;
  private boolean committed;

  SaidInBatch(BatchPlan<?, ?> plan, Acknowledgment container) {
    this.plan = plan;
    this.container = container;
    this.doneBefore = plan.size();
  }

  /** Returns how many of the listener's records are done: all before the one it sent back. */
  synchronized int doneBefore() {
    return doneBefore;
  }

  @Override
  public void acknowledge() {
    say(container::acknowledge);
  }

  @Override
  public void acknowledge(int index) {
    check(index);
    int place = plan.acknowledgedTo(index);
    say(() -> container.acknowledge(place));
  }

  @Override
  public void nack(int index, Duration sleep) {
    check(index);
    synchronized (this) {
      doneBefore = index;
    }
    int place = plan.positions().get(index);
    say(() -> container.nack(place, sleep));
  }

  private void check(int index) {
    if (index < 0 || index >= plan.size()) {
      throw new IllegalArgumentException(
          "index: was " + index + ", must be 0 to " + (plan.size() - 1));
    }
  }

  private void say(Runnable what) {
    synchronized (this) {
      if (!committed) {
        said.add(what);
        return;
      }
    }
    what.run();
  }

  /** The transaction has committed. */
  void passOn() {
    List<Runnable> all;
    synchronized (this) {
      committed = true;
      all = List.copyOf(said);
    }
    all.forEach(Runnable::run);
  }

  @Override
  public boolean isOutOfOrderCommit() {
    return container.isOutOfOrderCommit();
  }
}
