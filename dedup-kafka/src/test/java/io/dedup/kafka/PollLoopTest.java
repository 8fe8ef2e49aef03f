// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static io.dedup.kafka.LoopBench.P0;
import static io.dedup.kafka.LoopBench.P1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.dedup.OnMissingKey;
import io.dedup.claim.StoreUnavailable;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.kafka.topic.Ttl;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a broker does rarely, and what records do to each other. */
class PollLoopTest {

  private final LoopBench bench = new LoopBench();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  @Test
  void troubleThatIsOneRecordsOwnKeepsNoOtherPartitionWaiting() {
    bench.store.unavailableId = "sick";
    bench.runPolls(
        20,
        () -> {
          bench.assign(P0, P1);
          bench.publish(0, 0, "sick");
          bench.publish(1, 0, "well");
        });
    assertThat(bench.effects).containsExactly("well");
    assertThat(bench.committed).isEqualTo(Map.of(P1, 1L));
  }

  @Test
  void slowRecordsOfOnePartitionKeepNoOtherWaitingUntilAllOfThemAreDone() {
    bench.handler =
        (record, context) -> {
          bench.effects.add(record.value());
          bench.clock.advance(Duration.ofSeconds(40));
        };
    bench.runPolls(
        3,
        () -> {
          bench.assign(P0, P1);
          for (int i = 0; i < 30; i++) {
            bench.publish(0, i, "slow-" + i);
          }
          bench.publish(1, 0, "other");
        });
    assertThat(bench.effects).contains("other").hasSizeLessThan(15);
  }

  @Test
  void aDeadLetterThatTakesLongHoldsBackItsPartitionAndNoOther() {
    CountDownLatch room = new CountDownLatch(1);
    AtomicBoolean waitedInVain = new AtomicBoolean();
    bench.deadLetters =
        letter -> {
          waitedInVain.set(!room.await(60, TimeUnit.SECONDS));
          bench.letters.add(letter);
        };
    bench.handler = failingAt("bad", new IllegalStateException("never"));
    bench.run(
        () -> {
          if (bench.committed.equals(Map.of(P1, 1L)) && bench.letters.isEmpty()) {
            room.countDown();
          }
          return bench.committed.containsKey(P0);
        },
        () -> {
          bench.assign(P0, P1);
          bench.publish(0, 0, "bad");
          bench.publish(1, 0, "good");
        });
    assertThat(waitedInVain).isFalse();
    assertThat(bench.effects).containsExactly("good");
    assertThat(bench.letters).hasSize(1);
    assertThat(bench.committed).isEqualTo(Map.of(P0, 1L, P1, 1L));
  }

  @Test
  void aTtlPolicyThatThrowsMakesADeadLetterOfItsRecordAndEndsNothing() {
    bench.options =
        t ->
            t.ttl(
                Ttl.by(
                    (record, now) -> {
                      if ("bad".equals(record.value())) {
                        throw new IllegalStateException("no ttl for this");
                      }
                      // Refused, too: it is below the lease.
                      return "short".equals(record.value())
                          ? Duration.ofMillis(1)
                          : Duration.ofDays(1);
                    }));
    bench.run(
        () -> bench.effects.contains("good"),
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "bad");
          bench.publish(0, 1, "short");
          bench.publish(0, 2, "good");
        });
    assertThat(bench.effects).containsExactly("good");
    assertThat(bench.letters)
        .extracting(DeadLetter::reason)
        .containsExactly(DeadLetter.Reason.FAILED, DeadLetter.Reason.FAILED);
    assertThat(bench.letters.get(1).detail()).contains("ttl: was PT0.001S, must not be below");
  }

  @Test
  void anErrorOfAHandlerIsItsRecordsFailureAndEndsNothing() {
    bench.handler = failingAt("deep", new StackOverflowError());
    bench.run(
        () -> bench.effects.contains("good"),
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "deep");
          bench.publish(0, 1, "good");
        });
    assertThat(bench.letters)
        .singleElement()
        .satisfies(letter -> assertThat(letter.cause()).isInstanceOf(StackOverflowError.class));
    assertThat(bench.effects).containsExactly("good");
  }

  @Test
  void anErrorOfTheProcessEndsTheLoopAndAcknowledgesNothing() {
    bench.handler = failingAt("large", new OutOfMemoryError("made up"));
    assertThatThrownBy(
            () ->
                bench.runPolls(
                    5,
                    () -> {
                      bench.assign(P0);
                      bench.publish(0, 0, "small");
                      bench.publish(0, 1, "large");
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(bench.committed).isEqualTo(Map.of(P0, 1L));
    assertThat(bench.loop.status().failure()).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void troubleOfAStoreIsNoFailureOfAHandlerThatRunsWithoutAClaim() {
    AtomicInteger runs = new AtomicInteger();
    bench.options =
        t -> t.key(KeyExtractors.header("no-such-header")).onMissingKey(OnMissingKey.PROCESS);
    bench.handler =
        (record, context) -> {
          if (runs.incrementAndGet() < 10) {
            throw new StoreUnavailable("of a call within", null);
          }
          bench.effects.add(record.value());
        };
    bench.run(
        () -> bench.committed.containsKey(P0),
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "a");
        });
    assertThat(bench.effects).containsExactly("a");
    assertThat(bench.letters).isEmpty();
  }

  @Test
  void troubleThatWentWithItsPartitionIsReportedNoMore() {
    bench.store.down = true;
    AtomicBoolean told = new AtomicBoolean();
    bench.runPolls(
        5,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "a");
        },
        () -> {
          told.set(bench.loop.status().trouble() != null);
          bench.assign();
        });
    assertThat(told).isTrue();
    assertThat(bench.loop.status().trouble()).isNull();
  }

  @Test
  void offsetsThatCouldNotBeCommittedAreCommittedLater() {
    bench.commitFailures.add(new RebalanceInProgressException());
    bench.commitFailures.add(new TimeoutException());
    bench.commitFailures.add(new CommitFailedException());
    bench.runPolls(
        6,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "a");
        });
    assertThat(bench.commitFailures).isEmpty();
    assertThat(bench.effects).containsExactly("a");
    assertThat(bench.committed).isEqualTo(Map.of(P0, 1L));
  }

  @Test
  void whatWaitedOnAPartitionThatWasLostAndCameBackIsReadAnew() {
    bench.backOff = new BackOff(Duration.ofMinutes(10), Duration.ofMinutes(10), 5);
    AtomicInteger runs = new AtomicInteger();
    bench.handler =
        (record, context) -> {
          if (runs.incrementAndGet() == 1) {
            throw new IllegalStateException("not now");
          }
          bench.effects.add(record.value());
        };
    Runnable published =
        () -> {
          bench.publish(0, 0, "a");
          bench.publish(0, 1, "b");
        };
    bench.runPolls(
        6,
        () -> {
          bench.assign(P0);
          published.run();
        },
        () -> {
          bench.loop.onPartitionsLost(List.of(P0));
          bench.assign();
          bench.assign(P0);
          published.run();
        });
    assertThat(bench.effects).containsExactly("a", "b");
    assertThat(bench.committed).isEqualTo(Map.of(P0, 2L));
  }

  @Test
  void whatIsDoneIsCommittedBeforeItsPartitionGoes() {
    bench.backOff = new BackOff(Duration.ofMinutes(10), Duration.ofMinutes(10), 5);
    bench.handler = failingAt("waits", new IllegalStateException("not now"));
    // So that the commit after the turn comes to nothing.
    bench.commitFailures.add(new TimeoutException());
    bench.runPolls(
        3,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "done");
          bench.publish(0, 1, "waits");
        },
        () -> bench.assign());
    assertThat(bench.committed).isEqualTo(Map.of(P0, 1L));
  }

  @Test
  void thePollAfterTheFirstCommitIsAskedForInOneExchange() {
    bench.runPolls(
        6,
        () -> {
          bench.assign(P0, P1);
          bench.publish(0, 0, "first");
          bench.publish(1, 0, "first too");
        },
        () -> {},
        () -> {
          for (int i = 1; i < 21; i++) {
            bench.publish(0, i, "a" + i);
            bench.publish(1, i, "b" + i);
          }
        });
    assertThat(bench.effects).hasSize(42).doesNotHaveDuplicates();
    assertThat(bench.store.asked).hasSize(3).element(2, LIST).hasSize(40);
    assertThat(bench.committed).isEqualTo(Map.of(P0, 21L, P1, 21L));
  }

  @Test
  void untilSomethingWasCommittedEachRecordIsAskedForAlone() {
    bench.commitFailures.add(new TimeoutException());
    bench.runPolls(
        4,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "a");
          bench.publish(0, 1, "b");
          bench.publish(0, 2, "c");
          bench.publish(0, 3, "d");
        });
    assertThat(bench.effects).containsExactly("a", "b", "c", "d");
    assertThat(bench.store.asked).containsExactly(List.of("a"), List.of("b"), List.of("c", "d"));
  }

  @Test
  void aRecordThatWaitsKeepsNoClaimsBehindIt() {
    AtomicBoolean free = new AtomicBoolean();
    bench.backOff = new BackOff(Duration.ofMinutes(10), Duration.ofMinutes(10), 5);
    bench.handler = failingAt("waits", new IllegalStateException("not now"));
    bench.runPolls(
        4,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "first");
          bench.publish(0, 1, "waits");
          bench.publish(0, 2, "behind");
        },
        () -> free.set(bench.claimedElsewhere("behind")));
    assertThat(bench.store.asked).contains(List.of("waits", "behind"));
    assertThat(free).isTrue();
  }

  @Test
  void whatIsClaimedAheadIsGivenBackWhenItsPartitionGoes() {
    AtomicBoolean claimed = new AtomicBoolean();
    AtomicBoolean free = new AtomicBoolean();
    bench.handler =
        (record, context) -> {
          bench.scope = context.key().scope();
          bench.effects.add(record.value());
          if (!record.value().equals("first")) {
            // Longer than half a turn.
            bench.clock.advance(Duration.ofSeconds(60));
          }
        };
    bench.runPolls(
        5,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "first");
          for (int i = 1; i < 6; i++) {
            bench.publish(0, i, "slow-" + i);
          }
        },
        () -> {
          claimed.set(!bench.claimedElsewhere("slow-5"));
          bench.assign();
          free.set(bench.claimedElsewhere("slow-5"));
        });
    assertThat(bench.effects).containsExactly("first", "slow-1", "slow-2");
    assertThat(claimed).isTrue();
    assertThat(free).isTrue();
    assertThat(bench.committed).isEqualTo(Map.of(P0, 3L));
  }

  @Test
  void nothingBehindABusyRecordOfItsPartitionStaysClaimed() {
    AtomicBoolean free = new AtomicBoolean();
    bench.handler =
        (record, context) -> {
          bench.effects.add(record.value());
          if (record.value().equals("first")) {
            bench.scope = context.key().scope();
            assertThat(bench.claimedElsewhere("busy")).isTrue();
          }
        };
    bench.runPolls(
        4,
        () -> {
          bench.assign(P0);
          bench.publish(0, 0, "first");
          bench.publish(0, 1, "before");
          bench.publish(0, 2, "busy");
          bench.publish(0, 3, "behind");
        },
        () -> free.set(bench.claimedElsewhere("behind")));
    assertThat(bench.effects).containsExactly("first", "before");
    assertThat(bench.store.asked).contains(List.of("before", "busy", "behind"));
    assertThat(free).isTrue();
  }

  @Test
  void whereAnExchangeForManyFailsEachIsAskedForAlone() {
    bench.runPolls(
        20,
        () -> {
          bench.assign(P0, P1);
          bench.publish(0, 0, "first");
          bench.publish(1, 0, "first too");
        },
        () -> {},
        () -> {
          bench.store.unavailableId = "sick";
          bench.publish(0, 1, "a");
          bench.publish(0, 2, "sick");
          bench.publish(1, 1, "b");
          bench.publish(1, 2, "c");
        });
    assertThat(bench.effects).contains("a", "b", "c").doesNotContain("sick");
    assertThat(bench.committed).isEqualTo(Map.of(P0, 2L, P1, 3L));
  }

  @Test
  void aClientThatFailsToCloseLeavesAnEndedConsumer() {
    bench.closeFailure = new KafkaException("Failed to close");
    assertThatThrownBy(() -> bench.runPolls(2, () -> bench.assign(P0)))
        .isSameAs(bench.closeFailure);
    assertThat(bench.loop.status().state()).isEqualTo(ConsumerStatus.State.ENDED);
  }

  private RecordHandler<byte[], String> failingAt(String value, Throwable failure) {
    return (record, context) -> {
      bench.scope = context.key().scope();
      if (record.value().equals(value)) {
        if (failure instanceof Error error) {
          throw error;
        }
        throw (Exception) failure;
      }
      bench.effects.add(record.value());
    };
  }
}
