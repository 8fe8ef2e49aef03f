// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Lets contenders pass over topics, one at a time, each with empty stores. */
final class Track {

  private static final Duration STALL = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Backends backends;
  private final AtomicInteger groups = new AtomicInteger();

  Track(Backends backends) {
    this.backends = backends;
  }

  Pass pass(Contender contender, Dataset data, Duration effectTakes) {
    return pass(contender, data, effectTakes, backends.stores(), () -> {}, () -> {});
  }

  /**
   * Lets a contender pass over a topic.
   *
   * @param stores how the contender reaches the stores
   * @param onStart called when its first records have come
   * @param onEnd called when its last offset is committed
   * @throws IllegalStateException if it fails, or stands still for a minute
   */
  Pass pass(
      Contender contender,
      Dataset data,
      Duration effectTakes,
      Stores stores,
      Runnable onStart,
      Runnable onEnd) {
    backends.clear();
    System.gc();
    Effect effect = new Effect(data, effectTakes);
    Progress progress = new Progress(data.records(), onStart, onEnd);
    String group = "group-" + groups.incrementAndGet();
    Course course = Course.of(data, effect, stores, group, backends.kafka(), progress);
    try (Session session = contender.start().start(course)) {
      awaitEnd(contender, session, progress, effect);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (Exception e) {
      throw new IllegalStateException(contender.name() + " has failed: " + e.getMessage(), e);
    }
    return new Pass(
        data.records(),
        progress.seconds(),
        progress.cpuSeconds(),
        effect.executed(),
        contender.expected(data),
        contender.onceOnly() ? effect.doubled() : 0);
  }

  private static void awaitEnd(
      Contender contender, Session session, Progress progress, Effect effect)
      throws InterruptedException {
    long done = -1;
    long since = System.nanoTime();
    while (!progress.awaitEnd(LOOK)) {
      Throwable failure = session.failure();
      if (failure != null) {
        throw new IllegalStateException(contender.name() + " has ended", failure);
      }
      // Offsets may be committed seldom, where a poll takes long.
      long now = progress.committedRecords() + effect.executed();
      if (now != done) {
        done = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STALL.toNanos()) {
        IllegalStateException still =
            new IllegalStateException(
                contender.name()
                    + " stands still after "
                    + progress.committedRecords()
                    + " records");
        consumers().forEach(still::addSuppressed);
        throw still;
      }
    }
  }

  /** What consumers' threads are at, whoever made them. */
  private static Stream<Throwable> consumers() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> isOfConsumer(thread.getKey().getName()))
        .map(
            thread -> {
              Throwable trace = new Throwable(thread.getKey().getName());
              trace.setStackTrace(thread.getValue());
              return trace;
            });
  }

  private static boolean isOfConsumer(String name) {
    return name.startsWith("dedup-") || name.startsWith("poll-loop") || name.contains("-C-");
  }
}
