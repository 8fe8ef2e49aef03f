// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import io.dedup.time.ProcessClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Tokens of type, id, time, node and sequence. Thread-safe. */
final class CompositeTokens implements TokenGenerator {

  /** Wide enough that tokens of a node sort as text in the order in which they were made. */
  private static final int MILLIS_DIGITS = 13;

  private static final int SEQUENCE_DIGITS = 6;
  private static final int SEQUENCE_MAX = 999_999;

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
            padded(tick.millis(), MILLIS_DIGITS),
            node,
            padded(tick.sequence(), SEQUENCE_DIGITS)));
  }

  /** Unlike a format, it has the same digits in every locale. */
  private static String padded(long value, int width) {
    String digits = Long.toString(value);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /**
   * A clock that stands still or steps back only makes the sequence grow, and after the last number
   * the time that is written: it is never earlier than the clock's, and never goes back.
   */
  private Tick after(Tick previous) {
    long now = clock.now().toEpochMilli();
    if (now > previous.millis()) {
      return new Tick(now, 0);
    }
    return previous.sequence() < SEQUENCE_MAX
        ? new Tick(previous.millis(), previous.sequence() + 1)
        : new Tick(previous.millis() + 1, 0);
  }

  private record Tick(long millis, int sequence) {}
}
