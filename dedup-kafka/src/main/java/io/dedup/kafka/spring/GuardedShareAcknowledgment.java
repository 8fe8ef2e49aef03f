// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.Held;
import io.dedup.Outcome;
import io.dedup.claim.StoredResult;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Settles a record's claim before the broker hears of it. Any thread may call it, once; the
 * container's own sees to that.
 */
final class GuardedShareAcknowledgment implements ShareAcknowledgment {

  private final Held held;
  private final ShareAcknowledgment broker;

  GuardedShareAcknowledgment(Held held, ShareAcknowledgment broker) {
    this.held = held;
    this.broker = broker;
  }

  /** Accepted is what is stored as done; else the next delivery learns from the key. */
  @Override
  public void acknowledge() {
    Outcome<StoredResult> outcome = held.completeNow(null);
    if (outcome.isDone()) {
      broker.acknowledge();
    } else {
      broker.release();
    }
  }

  @Override
  public void release() {
    held.release();
    broker.release();
  }

  /** It does not come again, and whoever sends it anew may have it run. */
  @Override
  public void reject() {
    held.fail(new IllegalStateException("rejected by its listener"));
    broker.reject();
  }
}
