// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.Completed;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.Race.Runner;
import io.dedup.time.ProcessClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads of two processes race for the same keys, while the store's time stands still: one winner
 * for each token, and nobody waits for ever.
 */
abstract class Contention extends ContractSection {

  private static final int RIVALS = 4;
  private static final int ROUNDS = 25;
  private static final int BATCH = 20;
  private static final long A_MOMENT_NANOS = 20_000;

  private Race race;

  Contention(ClaimStoreContract contract) {
    super(contract);
  }

  @BeforeEach
  void lineUp() {
    race = new Race(RIVALS, List.of(tested, anotherProcess()));
  }

  @AfterEach
  void dismiss() {
    race.close();
  }

  @Test
  void oneOfManyRivalsGetsTheKey() {
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      List<ClaimAnswer> answers = race.run(rivals(i -> ask(request(key, "rival-" + i, i).build())));
      assertThat(answers).filteredOn(Acquired.class::isInstance).hasSize(1);
      assertThat(answers).filteredOn(InProgress.class::isInstance).hasSize(RIVALS - 1);
    }
  }

  @Test
  void oneOfManyRivalsTakesOver() {
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      ask(request(key, "lost", 9).build()).run(tested);
      afterLease();
      List<ClaimAnswer> answers = race.run(rivals(i -> ask(request(key, "rival-" + i, i).build())));
      assertThat(answers)
          .filteredOn(Acquired.class::isInstance)
          .containsExactly(new Acquired(clock(), 2, true, LEASE));
      assertThat(answers).filteredOn(InProgress.class::isInstance).hasSize(RIVALS - 1);
    }
  }

  @Test
  void oneOfManyRivalsForcesTheKey() {
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      complete(tested, request(key, "first", 9).build());
      List<ClaimAnswer> answers =
          race.run(rivals(i -> ask(request(key, "rival-" + i, 5).force(true).build())));
      assertThat(answers).filteredOn(Acquired.class::isInstance).hasSize(1);
    }
  }

  @Test
  void copiesOfOneClaimAreOneClaim() {
    for (int round = 0; round < ROUNDS; round++) {
      ClaimRequest request = request(newKey(), "anna", 1).build();
      List<ClaimAnswer> answers = race.run(rivals(i -> ask(request)));
      assertThat(answers).containsOnly(new Acquired(clock(), 1, false, LEASE));
    }
  }

  @Test
  void handlersOfOneKeyNeverRunTogetherAndTheirTokensGrow() {
    IdempotencyKey key = newKey();
    // Not synchronised on purpose: two handlers at once would lose a count, or leave a token out of
    // order.
    Unguarded effects = new Unguarded();
    race.run(rivals(i -> repeat(key, effects)));
    assertThat(effects.count).isEqualTo(RIVALS * ROUNDS);
    assertThat(effects.tokens).hasSize(RIVALS * ROUNDS).isSorted().doesNotHaveDuplicates();
  }

  private Runner<Boolean> repeat(IdempotencyKey key, Unguarded effects) {
    return store -> {
      for (int run = 0; run < ROUNDS; run++) {
        Claim claim = untilAcquired(store, key);
        effects.happen(claim.token());
        assertThat(settle(store, claim, new Settlement.Release())).isEqualTo(APPLIED);
      }
      return true;
    };
  }

  private Claim untilAcquired(ClaimStore store, IdempotencyKey key) {
    ProcessClock clock = ProcessClock.system();
    long start = clock.nanoTime();
    while (clock.nanoTime() - start < Race.LIMIT.toNanos()) {
      ClaimRequest request = request(key, Thread.currentThread().getName(), 1).build();
      if (store.claim(List.of(request)).claimed().get(0) instanceof Acquired acquired) {
        return request.claim(acquired.token());
      }
      LockSupport.parkNanos(A_MOMENT_NANOS);
    }
    throw new AssertionError("the key did not come free within " + Race.LIMIT);
  }

  @Test
  void aMessageDeliveredToAllHasOneEffect() {
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      Unguarded effects = new Unguarded();
      race.run(rivals(i -> store -> deliver(store, key, effects)));
      assertThat(effects.count).isEqualTo(1);
      assertThat(ask(request(key, "late", 2).build()).run(tested)).isInstanceOf(Completed.class);
    }
  }

  private boolean deliver(ClaimStore store, IdempotencyKey key, Unguarded effects) {
    ClaimRequest request = request(key, Thread.currentThread().getName(), 1).build();
    if (store.claim(List.of(request)).claimed().get(0) instanceof Acquired acquired) {
      effects.happen(acquired.token());
      Claim claim = request.claim(acquired.token());
      assertThat(settle(store, claim, DONE)).isEqualTo(APPLIED);
    }
    return true;
  }

  @Test
  void batchesInOppositeOrderShareTheKeysWithoutWaitingForEver() {
    for (int round = 0; round < ROUNDS; round++) {
      List<IdempotencyKey> keys = IntStream.range(0, BATCH).mapToObj(i -> newKey()).toList();
      List<List<Claim>> won = race.run(rivals(i -> store -> claimAll(store, shuffled(keys, i))));
      List<IdempotencyKey> winners = won.stream().flatMap(List::stream).map(Claim::key).toList();
      assertThat(winners).containsExactlyInAnyOrderElementsOf(keys);
      List<List<SettleAnswer>> settled =
          race.run(rivals(i -> store -> completeAll(store, won.get(i))));
      assertThat(settled.stream().flatMap(List::stream)).hasSize(BATCH).containsOnly(APPLIED);
    }
  }

  private static List<IdempotencyKey> shuffled(List<IdempotencyKey> keys, int rival) {
    List<IdempotencyKey> order = new ArrayList<>(keys);
    if (rival == 1) {
      Collections.reverse(order);
    } else if (rival > 1) {
      Collections.shuffle(order, new Random(rival));
    }
    return order;
  }

  private List<Claim> claimAll(ClaimStore store, List<IdempotencyKey> keys) {
    List<ClaimRequest> requests =
        keys.stream().map(key -> request(key, "rival", 1).build()).toList();
    List<ClaimAnswer> answers = store.claim(requests).claimed();
    List<Claim> won = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) instanceof Acquired acquired) {
        won.add(requests.get(i).claim(acquired.token()));
      } else {
        assertThat(answers.get(i)).isInstanceOf(InProgress.class);
      }
    }
    return won;
  }

  private static List<SettleAnswer> completeAll(ClaimStore store, List<Claim> claims) {
    return store.settle(claims.stream().map(c -> new SettleRequest(c, DONE)).toList()).settled();
  }

  @Test
  void aLateCompletionAndATakeoverExcludeEachOther() {
    Set<State> ends = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      ClaimRequest slow = request(key, "slow", 1).build();
      Acquired acquired = (Acquired) ask(slow).run(tested);
      afterLease();
      List<Boolean> succeeded =
          race.run(
              rivals(
                  i ->
                      i == 0
                          ? store ->
                              settle(store, slow.claim(acquired.token()), DONE).equals(APPLIED)
                          : store ->
                              ask(request(key, "r" + i, 1).build()).run(store)
                                  instanceof Acquired));
      assertThat(succeeded).containsOnlyOnce(true);
      ends.add(tested.find(key).orElseThrow().state());
    }
    assertThat(ends).isSubsetOf(State.SUCCEEDED, State.PROCESSING);
  }

  @Test
  void aLateCompletionAndAnOperatorExcludeEachOther() {
    Resolution notDone = new Resolution.NotDone();
    for (int round = 0; round < ROUNDS; round++) {
      IdempotencyKey key = newKey();
      ClaimRequest slow = request(key, "slow", 1).build();
      Acquired acquired = (Acquired) ask(slow).run(tested);
      afterLease();
      List<SettleAnswer> answers =
          race.run(
              rivals(
                  i ->
                      i == 0
                          ? store -> settle(store, slow.claim(acquired.token()), DONE)
                          : store -> store.resolve(key, acquired.token(), notDone, "o" + i, "w")));
      assertThat(answers).containsOnlyOnce(APPLIED);
      boolean completed = answers.get(0).equals(APPLIED);
      assertThat(tested.find(key).orElseThrow().state())
          .isEqualTo(completed ? State.SUCCEEDED : State.RELEASED);
    }
  }

  @Test
  void oneOfManyResultsIsAttached() {
    for (int round = 0; round < ROUNDS; round++) {
      ClaimRequest request = request(newKey(), "anna", 1).build();
      Claim claim = request.claim(((Acquired) ask(request).run(tested)).token());
      settle(tested, claim, DONE);
      List<StoredResult> results =
          IntStream.range(0, RIVALS)
              .mapToObj(i -> new StoredResult("a/b", new byte[] {(byte) i}))
              .toList();
      List<SettleAnswer> answers =
          race.run(
              rivals(i -> store -> settle(store, claim, new Settlement.Attach(results.get(i)))));
      assertThat(answers).containsOnlyOnce(APPLIED);
      assertThat(tested.find(claim.key()).orElseThrow().result())
          .isEqualTo(results.get(answers.indexOf(APPLIED)));
    }
  }

  @Test
  void aClaimSettlesOneWayOnly() {
    for (int round = 0; round < ROUNDS; round++) {
      ClaimRequest request = request(newKey(), "anna", 1).build();
      Claim claim = request.claim(((Acquired) ask(request).run(tested)).token());
      List<Settlement> ends =
          List.of(
              DONE,
              new Settlement.Release(),
              new Settlement.Fail("boom", TTL, LEASE),
              new Settlement.Release());
      List<Boolean> applied =
          race.run(rivals(i -> store -> settle(store, claim, ends.get(i)).equals(APPLIED)));
      State state = tested.find(claim.key()).orElseThrow().state();
      assertThat(applied)
          .isEqualTo(
              List.of(
                  state == State.SUCCEEDED,
                  state == State.RELEASED,
                  state == State.FAILED,
                  state == State.RELEASED));
    }
  }

  @Test
  void aPurgeNeverRemovesWhatWasClaimedMeanwhile() {
    for (int round = 0; round < ROUNDS; round++) {
      List<IdempotencyKey> keys = IntStream.range(0, RIVALS).mapToObj(i -> newKey()).toList();
      keys.forEach(key -> complete(tested, request(key, "first", 1).build()));
      time.advance(TTL);
      race.run(
          rivals(
              i ->
                  i == 0
                      ? store -> store.purgeExpired(1000) >= 0
                      : store ->
                          ask(request(keys.get(i), "r", 2).build()).run(store)
                              instanceof Acquired));
      keys.stream().skip(1).forEach(key -> assertThat(tested.find(key)).isPresent());
    }
  }

  private void complete(ClaimStore store, ClaimRequest request) {
    Acquired acquired = (Acquired) store.claim(List.of(request)).claimed().get(0);
    assertThat(settle(store, request.claim(acquired.token()), DONE)).isEqualTo(APPLIED);
  }

  private static SettleAnswer settle(ClaimStore store, Claim claim, Settlement settlement) {
    return store.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  private static Question ask(ClaimRequest request) {
    return store -> store.claim(List.of(request)).claimed().get(0);
  }

  private static <T> List<Runner<T>> rivals(IntFunction<Runner<T>> rival) {
    return IntStream.range(0, RIVALS).mapToObj(rival).toList();
  }

  private interface Question extends Runner<ClaimAnswer> {
    @Override
    ClaimAnswer run(ClaimStore store);
  }

  /** Counts as a careless handler would: reads, lets others run, writes. */
  private static final class Unguarded {
    private final List<Long> tokens = new ArrayList<>();
    private int count;

    void happen(long token) {
      int seen = count;
      LockSupport.parkNanos(A_MOMENT_NANOS);
      tokens.add(token);
      count = seen + 1;
    }
  }
}
