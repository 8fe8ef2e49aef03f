// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** A plain loop of Kafka's own consumer: poll, a step, commit. */
final class PollLoop implements Session {

  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Step step;
  private final Commits commits;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;

  enum Commits {
    /** After each poll, waiting for the answer. */
    SYNCHRONOUS,
    /** After each poll, the answer coming while the next is handled. */
    ASYNCHRONOUS
  }

  private PollLoop(Course course, Step step, Commits commits) {
    this.consumer = new KafkaConsumer<>(course.consumer());
    this.step = step;
    this.commits = commits;
    this.thread = new Thread(this::run, "poll-loop");
    consumer.subscribe(List.of(course.data().topic()));
  }

  static Contender.Start of(Step.Opening opening, Commits commits) {
    return course -> {
      PollLoop loop = new PollLoop(course, opening.open(course), commits);
      loop.thread.start();
      return loop;
    };
  }

  private void run() {
    try (step;
        consumer) {
      while (!stopped) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        if (!records.isEmpty()) {
          step.handle(records);
          if (commits == Commits.SYNCHRONOUS) {
            consumer.commitSync();
          } else {
            consumer.commitAsync();
          }
        }
      }
    } catch (WakeupException e) {
      // closed
    } catch (Exception | Error e) {
      failure = e;
    }
  }

  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void close() {
    stopped = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
