// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Times one pass over a topic: from the first records that a poll returns until the last offset is
 * committed. Joining the group and opening connections are before it. Thread-safe.
 */
final class Progress {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long records;
  private final Runnable onStart;
  private final Runnable onEnd;
  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private long startNanos;
  private long startCpuNanos;
  private long nanos;
  private long cpuNanos;

  Progress(long records, Runnable onStart, Runnable onEnd) {
    this.records = records;
    this.onStart = onStart;
    this.onEnd = onEnd;
  }

  synchronized void polled() {
    if (startNanos == 0) {
      onStart.run();
      startCpuNanos = PROCESS.getProcessCpuTime();
      startNanos = System.nanoTime();
    }
  }

  synchronized void committed(Map<TopicPartition, Long> offsets) {
    committed.putAll(offsets);
    if (done.getCount() > 0 && committedRecords() >= records) {
      nanos = System.nanoTime() - startNanos;
      cpuNanos = PROCESS.getProcessCpuTime() - startCpuNanos;
      onEnd.run();
      done.countDown();
    }
  }

  synchronized long committedRecords() {
    return committed.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Waits for the last commit. Returns whether it came. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return done.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  synchronized double seconds() {
    return nanos / 1e9;
  }

  /** The time that all threads of this process were on a core meanwhile. */
  synchronized double cpuSeconds() {
    return cpuNanos / 1e9;
  }
}
