// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import io.dedup.time.ProcessClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Tokens of type, id, time, node and sequence. Thread-safe. */
final class CompositeTokens implements TokenGenerator {

  /** Wide enough that tokens of a node sort as text in the order in which they were made. */
  private static final String FORM = "%013d";

  private static final String SEQUENCE_FORM = "%06d";

  private final ProcessClock clock;
  private final String node;
  private final AtomicReference<Tick> last = new AtomicReference<>(new Tick(0, 0));

  CompositeTokens(ProcessClock clock, String node) {
    if (node.isEmpty()) {
      throw new IllegalArgumentException("node: was empty, must have at least one character");
    }
    this.clock = clock;
    this.node = node;
  }

  @Override
  public String next(String businessType, String businessId) {
    Tick tick = last.updateAndGet(this::after);
    return CompositeId.join(
        List.of(
            businessType,
            businessId,
            String.format(FORM, tick.millis()),
            node,
            String.format(SEQUENCE_FORM, tick.sequence())));
  }

  /** A clock that stands still or steps back only makes the sequence grow. */
  private Tick after(Tick previous) {
    long now = clock.now().toEpochMilli();
    return now > previous.millis()
        ? new Tick(now, 0)
        : new Tick(previous.millis(), previous.sequence() + 1);
  }

  private record Tick(long millis, int sequence) {}
}
