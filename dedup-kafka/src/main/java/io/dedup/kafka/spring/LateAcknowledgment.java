// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Keeps what a listener says in its transaction until that has committed. What it says later is
 * passed on at once. Thread-safe.
 */
final class LateAcknowledgment implements Acknowledgment {

  private final Acknowledgment container;
  private final List<Runnable> said = new ArrayList<>();
  private boolean committed;

  LateAcknowledgment(Acknowledgment container) {
    this.container = container;
  }

  /** Ends the transaction without its writes: the listener has said that nothing is done. */
  static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1;

    RolledBack() {
      super("the listener sent its record back", null, false, false);
    }
  }

  @Override
  public void acknowledge() {
    say(container::acknowledge);
  }

  @Override
  public void nack(Duration sleep) {
    boolean rollsBack;
    synchronized (said) {
      rollsBack = !committed;
    }
    say(() -> container.nack(sleep));
    if (rollsBack) {
      throw new RolledBack();
    }
  }

  private void say(Runnable what) {
    synchronized (said) {
      if (!committed) {
        said.add(what);
        return;
      }
    }
    what.run();
  }

  /** The transaction has ended as the listener wanted it to. */
  void passOn() {
    List<Runnable> all;
    synchronized (said) {
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
