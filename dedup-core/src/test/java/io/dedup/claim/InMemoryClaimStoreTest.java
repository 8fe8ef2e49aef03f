// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is special to the store in memory; what it shares with every store, the contract shows. */
class InMemoryClaimStoreTest {

  private static final Settlement DONE = new Settlement.Complete(null, TTL);

  private final AtomicReference<Instant> time = new AtomicReference<>(NOW);

  private InMemoryClaimStore storeFor(int records) {
    return InMemoryClaimStore.create(time::get, records);
  }

  private static IdempotencyKey key(int number) {
    return IdempotencyKey.of("orders", Integer.toString(number));
  }

  private static ClaimRequest request(int number) {
    return ClaimRequest.builder(key(number), "me", LEASE, TTL).build();
  }

  private static ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  private static void complete(ClaimStore store, int number) {
    ClaimRequest request = request(number);
    long token = ((ClaimAnswer.Acquired) claim(store, request)).token();
    store.settle(List.of(new SettleRequest(request.claim(token), DONE)));
  }

  @Test
  void aStoreWithoutRoomForARecordIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> storeFor(0))
        .withMessage("maxRecords: was 0, must be at least 1");
  }

  @Test
  void withoutAClockOfItsOwnItJudgesByTheJvms() {
    Exchange exchange = InMemoryClaimStore.create().claim(List.of(request(1)));

    assertThat(exchange.storeTime()).isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS));
  }

  @Nested
  class Full {

    private final InMemoryClaimStore store = storeFor(2);

    @Test
    void aFullStoreTakesNoNewKeyAndForgetsNone() {
      complete(store, 1);
      complete(store, 2);

      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> claim(store, request(3)))
          .withMessage("in-memory store is full: maxRecords is 2 and none has expired");
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> store.issue(key(3), TTL));
      ClaimRecord copy = store.find(key(1)).orElseThrow();
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> store.merge(Map.of(key(3), copy)));
      assertThat(claim(store, request(1))).isInstanceOf(ClaimAnswer.Completed.class);
      assertThat(claim(store, request(2))).isInstanceOf(ClaimAnswer.Completed.class);
    }

    @Test
    void aFullStoreStillWorksOnTheKeysItHas() {
      ClaimRequest first = request(1);
      long token = ((ClaimAnswer.Acquired) claim(store, first)).token();
      complete(store, 2);

      Claim claim = first.claim(token);
      assertThat(store.settle(List.of(new SettleRequest(claim, DONE))).settled())
          .containsExactly(new SettleAnswer.Applied());
      assertThat(store.reopen(key(1), "operator", "again")).isEqualTo(new SettleAnswer.Applied());
      assertThat(claim(store, request(1))).isInstanceOf(ClaimAnswer.Acquired.class);
    }

    @Test
    void expiredRecordsMakeRoom() {
      complete(store, 1);
      complete(store, 2);
      time.set(NOW.plus(TTL));

      assertThat(claim(store, request(3))).isInstanceOf(ClaimAnswer.Acquired.class);
      assertThat(store.stats()).isEqualTo(new StoreStats(0, 1, 0, 0, 0, 0));
    }

    @Test
    void whatIsInProgressMakesNoRoomWhenItsLeaseIsOver() {
      claim(store, request(1));
      claim(store, request(2));
      time.set(NOW.plus(LEASE));

      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> claim(store, request(3)));
    }
  }

  @Nested
  class Purging {

    private final InMemoryClaimStore store = storeFor(100);

    @Test
    void aPurgeRemovesNoMoreThanItsLimit() {
      IntStream.range(0, 5).forEach(i -> complete(store, i));
      time.set(NOW.plus(TTL));

      assertThat(store.purgeExpired(3)).isEqualTo(3);
      assertThat(store.stats().expired()).isEqualTo(2);
      assertThat(store.purgeExpired(3)).isEqualTo(2);
      assertThat(store.purgeExpired(3)).isZero();
    }

    @Test
    void aPurgeKeepsWhatHasNotExpired() {
      complete(store, 1);
      claim(store, request(2));
      time.set(NOW.plus(TTL).minusNanos(1000));

      assertThat(store.purgeExpired(10)).isZero();
      assertThat(store.stats()).isEqualTo(new StoreStats(0, 1, 1, 0, 0, 0));
    }

    @Test
    void aPurgeOfNothingIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.purgeExpired(0))
          .withMessage("limit: was 0, must be at least 1");
    }
  }

  @Nested
  class Racing {

    private static final int THREADS = 8;

    private final InMemoryClaimStore store = storeFor(10_000);

    @Test
    void ofManyClaimsOneWins() throws Exception {
      for (int round = 0; round < 200; round++) {
        int number = round;

        List<ClaimAnswer> answers = race(thread -> claim(store, request(number)));

        assertThat(answers).filteredOn(ClaimAnswer.Acquired.class::isInstance).hasSize(1);
        assertThat(answers)
            .filteredOn(ClaimAnswer.InProgress.class::isInstance)
            .hasSize(THREADS - 1);
      }
    }

    @Test
    void ofManyTakeoversOneWinsAndNoTokenIsGivenTwice() throws Exception {
      List<Long> tokens = new ArrayList<>();
      for (int round = 0; round < 200; round++) {
        List<ClaimAnswer> answers = race(thread -> claim(store, request(1)));
        for (ClaimAnswer answer : answers) {
          if (answer instanceof ClaimAnswer.Acquired acquired) {
            tokens.add(acquired.token());
          }
        }
        time.updateAndGet(now -> now.plus(LEASE));
      }

      assertThat(tokens).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aPurgeNeverRemovesWhatWasClaimedMeanwhile() throws Exception {
      for (int round = 0; round < 200; round++) {
        complete(store, 1);
        time.updateAndGet(now -> now.plus(TTL));

        List<ClaimAnswer> answers =
            race(
                thread -> {
                  if (thread % 2 == 0) {
                    store.purgeExpired(10);
                    return new ClaimAnswer.NotIssued();
                  }
                  return claim(store, request(1));
                });

        assertThat(answers).filteredOn(ClaimAnswer.Acquired.class::isInstance).hasSize(1);
        assertThat(store.find(key(1))).map(ClaimRecord::state).contains(State.PROCESSING);
        store.forget(key(1));
      }
    }

    private interface Racer {
      ClaimAnswer run(int thread);
    }

    private static List<ClaimAnswer> race(Racer racer) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<ClaimAnswer>> futures = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          int thread = i;
          futures.add(
              threads.submit(
                  () -> {
                    go.await();
                    return racer.run(thread);
                  }));
        }
        go.countDown();
        List<ClaimAnswer> answers = new ArrayList<>();
        for (Future<ClaimAnswer> future : futures) {
          answers.add(future.get());
        }
        return answers;
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void aLeaseOfOneMillisecondIsTheShortest() {
    ClaimStore store = storeFor(1);
    Duration milli = Duration.ofMillis(1);
    ClaimRequest shortest = ClaimRequest.builder(key(1), "me", milli, milli).build();

    claim(store, shortest);
    time.set(NOW.plus(milli));

    assertThat(claim(store, request(1)))
        .isInstanceOfSatisfying(
            ClaimAnswer.Acquired.class, answer -> assertThat(answer.takenOver()).isTrue());
  }
}
