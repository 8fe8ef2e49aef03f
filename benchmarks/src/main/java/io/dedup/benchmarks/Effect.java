// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a handler does: nothing but count for each id, after a time of its own if there is one. */
final class Effect {

  private final Dataset data;
  private final Duration takes;
  private final int[] runs;

  Effect(Dataset data, Duration takes) {
    this.data = data;
    this.takes = takes;
    this.runs = new int[data.distinct()];
  }

  void run(ConsumerRecord<?, ?> record) {
    if (!takes.isZero()) {
      try {
        TimeUnit.NANOSECONDS.sleep(takes.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    runs[data.idNumber(record)]++;
  }

  /** How often it ran. Exact once the consumer is closed. */
  long executed() {
    long sum = 0;
    for (int count : runs) {
      sum += count;
    }
    return sum;
  }

  /** The ids for which it ran more than once. */
  long doubled() {
    long count = 0;
    for (int times : runs) {
      count += times > 1 ? 1 : 0;
    }
    return count;
  }
}
