// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Messages for a group, with copies of each: some in its partition, and some in another one that
 * another member may have. Each event is to have its effect once.
 */
final class Traffic {

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** So that what is waited for is waiting, and not the listener's speed. */
  private static final int BACKLOG = 15;

  private final SpringRun run;
  private int events;

  Traffic(SpringRun run) {
    this.run = run;
  }

  /** Sends on until something has come about. */
  void until(String what, Callable<Boolean> condition) {
    await()
        .alias(what)
        .atMost(SpringRun.BOUND)
        .pollInterval(PAUSE)
        .until(
            () -> {
              if (events - run.effectsOfAll().done().size() < BACKLOG) {
                some();
              }
              return condition.call();
            });
  }

  /** Sends a few more. */
  void some() {
    for (int i = 0; i < 3; i++) {
      int event = events++;
      run.send(event % 2, "event-" + event);
      copy(event - 3, 0);
      if (event % 3 == 0) {
        copy(event - 5, 1);
      }
    }
  }

  private void copy(int event, int partitionsAway) {
    if (event >= 0) {
      run.send((event + partitionsAway) % 2, "event-" + event);
    }
  }

  /** Waits for the end of the topic, where each event has had its effect once and in its order. */
  void assertOnceAndInOrder() {
    some();
    run.awaitEnd();
    List<String> done = run.effectsOfAll().done();
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      sent.add("event-" + i);
    }
    assertThat(done.stream().map(value -> value.split(":", -1)[2]).toList())
        .as("events that had effects")
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(sent);
    for (int i = 0; i < SpringBroker.PARTITIONS; i++) {
      assertThat(run.effectsOfAll().done(i).stream().map(Traffic::place).toList())
          .as("places of the effects of partition " + i)
          .isSorted();
    }
  }

  private static int place(String value) {
    return Integer.parseInt(value.split(":", -1)[1]);
  }
}
