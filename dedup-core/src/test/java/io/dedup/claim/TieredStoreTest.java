// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.Samples.DONE;
import static io.dedup.claim.Samples.KEY;
import static io.dedup.claim.Samples.LEASE;
import static io.dedup.claim.Samples.NOW;
import static io.dedup.claim.Samples.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * After a key was reopened, forgotten or resolved, the front never says "done" while the database
 * does not, whatever happens between any two steps.
 */
class TieredStoreTest {

  /** More than a verb asks of both stores together. */
  private static final int STEPS_MAX = 10;

  private Instant now = NOW;
  private final InMemoryClaimStore rows = InMemoryClaimStore.create(this::time, 100);
  private final InMemoryClaimStore copies = InMemoryClaimStore.create(this::time, 100);
  private final HookedStore database = new HookedStore(rows);
  private final HookedStore front = new HookedStore(copies);
  private final TieredStore tiered = TieredStore.of(database.store(), front.store());

  private Instant time() {
    return now;
  }

  /** Verbs that make a key run again. */
  enum Undoing {
    REOPEN,
    FORGET,
    MERGED_TOMBSTONE,
    FORCED_CLAIM;

    void of(TieredStore store, ClaimRecord row) {
      switch (this) {
        case REOPEN -> store.reopen(KEY, "olga", "again");
        case FORGET -> store.forget(KEY);
        case MERGED_TOMBSTONE ->
            store.merge(
                Map.of(
                    KEY,
                    Records.from(row)
                        .token(row.token() + 1)
                        .byHand("reopened", row.updated())
                        .state(State.RELEASED)
                        .build()));
        case FORCED_CLAIM -> store.claim(List.of(request().force(true).build()));
      }
    }
  }

  static Stream<Arguments> undoingAtEachStep() {
    return Stream.of(Undoing.values())
        .flatMap(
            undoing ->
                Stream.iterate(0, step -> step < STEPS_MAX, step -> step + 1)
                    .map(step -> Arguments.of(undoing, step)));
  }

  @ParameterizedTest
  @MethodSource("undoingAtEachStep")
  void aCopyThatIsOnItsWayChangesNothingWheneverItArrives(Undoing undoing, int step) {
    ClaimRecord row = done();
    atStep(step, () -> copies.merge(Map.of(KEY, row)));

    undoing.of(tiered, row);
    copies.merge(Map.of(KEY, row));

    assertTheFrontDoesNotSayMore();
  }

  @ParameterizedTest
  @MethodSource("undoingAtEachStep")
  void whatIsDoneMeanwhileIsNotBroughtBackByItsCopy(Undoing undoing, int step) {
    ClaimRecord first = done();
    ClaimRecord[] newer = new ClaimRecord[1];
    atStep(
        step,
        () -> {
          now = now.plusSeconds(1);
          rows.reopen(KEY, "another", "meanwhile");
          newer[0] = done();
        });

    undoing.of(tiered, first);
    if (newer[0] != null) {
      copies.merge(Map.of(KEY, newer[0]));
    }

    // Who is forced runs over what is done, first or newer: to say so meanwhile is no mistake.
    if (undoing != Undoing.FORCED_CLAIM) {
      assertTheFrontDoesNotSayMore();
    }
  }

  @ParameterizedTest
  @MethodSource("undoingAtEachStep")
  void aCallThatFailedIsSentAgainAndThenItHolds(Undoing undoing, int step) {
    ClaimRecord row = done();
    copies.merge(Map.of(KEY, row));
    atStep(
        step,
        () -> {
          throw new StoreUnavailable("answer lost", null);
        });

    try {
      undoing.of(tiered, row);
    } catch (StoreUnavailable e) {
      database.heal();
      front.heal();
      undoing.of(tiered, row);
    }
    copies.merge(Map.of(KEY, row));

    assertTheFrontDoesNotSayMore();
  }

  @Test
  void theFrontIsSilencedBeforeTheDatabaseChanges() {
    copies.merge(Map.of(KEY, done()));
    database.before(
        verb -> {
          if (verb.equals("reopen") || verb.equals("forget")) {
            assertThat(copies.find(KEY).orElseThrow().isTombstone()).isTrue();
          }
        });

    tiered.reopen(KEY, "olga", "again");
    done();
    tiered.forget(KEY);

    assertThat(database.asked()).contains("reopen", "forget");
  }

  @Test
  void aTombstoneLastsAsLongAsWhatItUndoes() {
    copies.merge(Map.of(KEY, done()));
    rows.extend(List.of(KEY), TTL.multipliedBy(2));

    tiered.forget(KEY);

    assertThat(copies.find(KEY).orElseThrow().expires()).isEqualTo(now.plus(TTL.multipliedBy(2)));
  }

  @Test
  void whatTheDatabaseHasLostIsForgottenInFrontToo() {
    copies.merge(Map.of(KEY, done()));
    rows.forget(KEY);

    assertThat(tiered.reopen(KEY, "olga", "again"))
        .isEqualTo(new SettleAnswer.Fenced(Holder.nobody()));

    assertTheFrontDoesNotSayMore();
  }

  @Test
  void aKeyThatNobodyHasCostsTheFrontNothing() {
    assertThat(tiered.forget(KEY)).isFalse();
    tiered.reopen(KEY, "olga", "again");

    assertThat(copies.find(KEY)).isEmpty();
  }

  @Test
  void everyOtherVerbIsTheDatabasesAlone() {
    front.goDown();
    ClaimRequest request = request().build();
    tiered.issue(KEY, TTL);
    ClaimAnswer answer = tiered.claim(List.of(request)).claimed().get(0);
    Claim claim = request.claim(((ClaimAnswer.Acquired) answer).token());
    tiered.settle(List.of(new SettleRequest(claim, DONE)));
    tiered.extend(List.of(KEY), TTL);
    tiered.extendScope(KEY.scope(), TTL);
    tiered.purgeExpired(1);

    assertThat(tiered.find(KEY)).isEqualTo(rows.find(KEY)).isPresent();
    assertThat(tiered.stats().succeeded()).isEqualTo(1);
  }

  private void atStep(int step, Runnable action) {
    AtomicInteger count = new AtomicInteger();
    Runnable counted =
        () -> {
          // A call takes longer than a few tokens are apart.
          now = now.plusMillis(1);
          if (count.getAndIncrement() == step) {
            action.run();
          }
        };
    database.before(verb -> counted.run());
    front.before(verb -> counted.run());
  }

  private void assertTheFrontDoesNotSayMore() {
    boolean saysDone = copies.find(KEY).filter(r -> r.state() == State.SUCCEEDED).isPresent();
    boolean isDone = rows.find(KEY).filter(r -> r.state() == State.SUCCEEDED).isPresent();
    assertThat(saysDone && !isDone).as("says done of what is not").isFalse();
  }

  private static ClaimRequest.Builder request() {
    return ClaimRequest.builder(KEY, "anna", LEASE, TTL)
        .origin(Origin.kafka("cluster", "topic", 0, 7, 0));
  }

  /** Has the key done in the database, by a process of which the front has not heard. */
  private ClaimRecord done() {
    ClaimRequest request = ClaimRequest.builder(KEY, "bert", LEASE, TTL).build();
    ClaimAnswer answer = rows.claim(List.of(request)).claimed().get(0);
    Claim claim = request.claim(((ClaimAnswer.Acquired) answer).token());
    rows.settle(List.of(new SettleRequest(claim, DONE)));
    return rows.find(KEY).orElseThrow();
  }
}
