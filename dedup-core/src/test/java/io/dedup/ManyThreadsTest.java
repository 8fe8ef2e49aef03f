// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.FaultyStore.Fault;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many threads of two processes, few keys, and counters that nothing protects but the claims. */
class ManyThreadsTest {

  private static final int THREADS = 8;
  private static final int KEYS = 60;

  private final InMemoryClaimStore memory = InMemoryClaimStore.create();
  private final int[] runs = new int[KEYS];
  private final int[] failures = new int[KEYS];

  @Test
  void eachKeyRunsOnce() throws Exception {
    race(new FaultyStore(memory), this::count);

    assertThat(runs).containsOnly(1);
  }

  @Test
  void eachKeyRunsOnceAlsoWhenAnswersAreLost() throws Exception {
    FaultyStore store =
        new FaultyStore(memory)
            .failAlways(s -> s.asksForKeys() && now(4), sometimes())
            .failAlways(s -> s.completes() && now(4), sometimes());

    race(store, this::count);

    assertThat(runs).containsOnly(1);
  }

  /** The counters of failures are protected by the same claims as those of runs. */
  @Test
  void eachKeyRunsUntilItsHandlerSucceedsAndNotOnceMore() throws Exception {
    race(
        new FaultyStore(memory),
        (i, context) -> {
          if (failures[i] < 3) {
            failures[i]++;
            throw new IllegalStateException("not yet");
          }
          return count(i, context);
        });

    assertThat(runs).containsOnly(1);
    assertThat(failures).containsOnly(3);
  }

  @Test
  void eachKeyHasOneEffectAlsoInTransactions() throws Exception {
    try (World world = new World()) {
      MemoryTransactions transactions = new MemoryTransactions(world);
      Deduplicator one =
          world.opened(world.builder().transactional(transactions.inbox(), transactions).build());
      Deduplicator other =
          world.opened(
              Deduplicator.builder(world.memory)
                  .clock(world.clock)
                  .transactional(transactions.inbox(), transactions)
                  .build());

      race(
          one,
          other,
          (key, context) -> {
            transactions.write("effect of " + key);
            return key;
          });

      assertThat(transactions.effects()).hasSize(KEYS).doesNotHaveDuplicates();
    }
  }

  private interface Work {
    int on(int key, DedupContext context);
  }

  private int count(int key, DedupContext context) {
    int before = runs[key];
    leaveTimeForARace();
    runs[key] = before + 1;
    return key;
  }

  private void race(FaultyStore store, Work work) throws Exception {
    try (Deduplicator one = Deduplicator.builder(store).build();
        Deduplicator other = Deduplicator.builder(store).build()) {
      race(one, other, work);
    }
  }

  private static void race(Deduplicator one, Deduplicator other, Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Deduplicator dedup = t % 2 == 0 ? one : other;
        Random random = new Random(t);
        done.add(
            threads.submit(
                () -> {
                  start.await();
                  untilAllAreDone(dedup, work, random);
                  return null;
                }));
      }
      for (Future<?> future : done) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void untilAllAreDone(Deduplicator dedup, Work work, Random random) {
    List<Integer> left = new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
    while (!left.isEmpty()) {
      Collections.shuffle(left, random);
      left.removeIf(i -> isDone(dedup, work, i));
    }
  }

  private static boolean isDone(Deduplicator dedup, Work work, int i) {
    try {
      return dedup
          .execute(IdempotencyKey.of("race", "key " + i), context -> work.on(i, context))
          .isDone();
    } catch (StoreUnavailable e) {
      return false;
    }
  }

  private static void leaveTimeForARace() {
    for (int i = 0; i < 1_000; i++) {
      Thread.onSpinWait();
    }
  }

  private static boolean now(int oneIn) {
    return ThreadLocalRandom.current().nextInt(oneIn) == 0;
  }

  private static Fault sometimes() {
    List<Fault> faults = Arrays.asList(FaultyStore.answerLost(), FaultyStore.unreachable());
    return (store, sent) ->
        faults.get(ThreadLocalRandom.current().nextInt(faults.size())).exchange(store, sent);
  }
}
