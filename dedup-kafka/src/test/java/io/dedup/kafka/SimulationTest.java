// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many small worlds, each with members, partitions and faults of its own, all of which follows from
 * a seed: {@code -Ddedup.simulation.seed=N -Ddedup.simulation.schedules=1} replays one, and a large
 * number of schedules runs that many.
 */
class SimulationTest {

  private static final Logger LOG = LoggerFactory.getLogger(SimulationTest.class);
  private static final int SCHEDULES = 100_000;
  private static final long SECONDS = 60;
  private static final int STORY = 120;

  private final PrintStream log = System.err;

  /** The members log each fault, which is no news here. */
  @BeforeEach
  void silence() {
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
  }

  @AfterEach
  void speakAgain() {
    System.setErr(log);
  }

  /** A world's end, if it came too early. */
  private record Failure(long seed, Throwable cause, List<String> story) {
    @Override
    public String toString() {
      List<String> last = story.subList(Math.max(0, story.size() - STORY), story.size());
      return "seed " + seed + ": " + cause + "\n  " + String.join("\n  ", last);
    }
  }

  @Test
  @Timeout(value = 12, unit = TimeUnit.HOURS)
  void nothingIsLostOrDoubledOrCommittedTooEarlyAndAllOfItEndsWhateverHappens() throws Exception {
    Integer asked = Integer.getInteger("dedup.simulation.schedules");
    long schedules = asked == null ? SCHEDULES : asked;
    long first = Long.getLong("dedup.simulation.seed", 1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    AtomicLong next = new AtomicLong(first);
    AtomicReference<Failure> failure = new AtomicReference<>();
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> running =
        java.util.stream.IntStream.range(0, threads)
            .<Future<?>>mapToObj(
                i ->
                    pool.submit(
                        () -> {
                          while (failure.get() == null
                              && (asked != null || System.nanoTime() - end < 0)) {
                            long seed = next.getAndIncrement();
                            if (seed - first >= schedules) {
                              return;
                            }
                            failure.compareAndSet(null, run(seed));
                          }
                        }))
            .toList();
    for (Future<?> one : running) {
      one.get();
    }
    pool.shutdown();
    System.setErr(log);
    LOG.warn("{} schedules simulated", Math.min(schedules, next.get() - first));
    assertThat(failure.get()).isNull();
  }

  private static Failure run(long seed) {
    Schedule schedule = new Schedule(seed);
    try (RecordReader<byte[], String> reader = RecordReader.of(READER)) {
      new SimulatedWorld(schedule, reader).run();
      return null;
    } catch (Throwable e) {
      return new Failure(seed, e, schedule.story());
    }
  }

  private static final Map<String, Object> READER =
      Map.of(
          "bootstrap.servers",
          "127.0.0.1:1",
          "key.deserializer",
          "org.apache.kafka.common.serialization.ByteArrayDeserializer",
          "value.deserializer",
          StringDeserializer.class);
}
