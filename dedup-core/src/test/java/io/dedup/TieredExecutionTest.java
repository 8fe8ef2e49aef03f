// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.HookedStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.TieredStore;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A store in front of the inbox: what it answers, when it is written, and what its loss costs. */
class TieredExecutionTest {

  private static final Fingerprint ORDER = Fingerprint.raw(new byte[] {1});
  private static final Fingerprint OTHER_ORDER = Fingerprint.raw(new byte[] {2});

  private final World world = new World();
  private final MemoryTransactions transactions = new MemoryTransactions(world);
  private final InMemoryClaimStore cache =
      InMemoryClaimStore.create(world.clock.storeTime(), 10_000);
  private final HookedStore front = new HookedStore(cache);
  private final TieredStore operator = TieredStore.of(world.memory, front.store());
  private final Deduplicator dedup =
      world.opened(builder(operator).transactional(transactions.inbox(), transactions).build());
  private final Runs writing =
      Runs.doing(
          context -> {
            transactions.write("charge");
            return "receipt";
          });

  @AfterEach
  void close() {
    world.close();
  }

  /** Each takes a while, so that tokens grow as clocks do. */
  private Outcome<String> deliver(Delivery delivery) {
    world.clock.advance(Duration.ofMillis(1));
    return dedup.execute(delivery, writing, ResultCodec.text(), dedup.policy());
  }

  private static Delivery from(long offset) {
    return World.delivery().withOrigin(World.record(offset)).withFingerprint(ORDER);
  }

  /** Whoever needs the database now does not get it. */
  private void databaseIsDown() {
    transactions.noConnection(new IllegalStateException("pool is empty"));
  }

  @Test
  void whatIsDoneIsAnsweredWithoutTheDatabase() {
    deliver(from(1));
    databaseIsDown();
    world.store.failAlways(sent -> true, FaultyStore.unreachable());

    assertThat(deliver(from(1)))
        .isEqualTo(
            new Outcome.Duplicate<>(
                "receipt", DuplicateReason.REDELIVERY, World.record(1), world.stored().updated()));
    assertThat(writing.count()).isEqualTo(1);
  }

  @Test
  void theFrontHoldsTheTokenTheExpiryAndTheTimesOfTheRow() {
    deliver(from(1));

    ClaimRecord row = world.stored();
    ClaimRecord copy = cache.find(KEY).orElseThrow();
    assertThat(copy.token()).isEqualTo(row.token());
    assertThat(copy.expires()).isEqualTo(row.expires());
    assertThat(copy.updated()).isEqualTo(row.updated());
    assertThat(copy.claimId()).isEqualTo(row.claimId());
    assertThat(copy.result()).isEqualTo(row.result());
    assertThat(copy.state()).isEqualTo(State.SUCCEEDED);
  }

  static Stream<Arguments> deliveries() {
    Policy plain = Policy.defaults();
    return Stream.of(
        Arguments.of("the same record", from(1), plain),
        Arguments.of("another record", from(2), plain),
        Arguments.of("a request", from(1).withOrigin(Origin.http("POST", "/")), plain),
        Arguments.of("nothing known", World.delivery(), plain),
        Arguments.of("another message", from(2).withFingerprint(OTHER_ORDER), plain),
        Arguments.of(
            "another message, and nobody minds",
            from(2).withFingerprint(OTHER_ORDER),
            plain.with(p -> p.onConflict(OnConflict.IGNORE))),
        Arguments.of("one that must be issued", from(2).asIssuedOnly(), plain),
        Arguments.of("one that is suspect", from(1).asSuspect(), plain),
        Arguments.of("one that was forced before", from(1).asForced(), plain),
        Arguments.of("one that slides", from(1), plain.with(p -> p.slide(true))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deliveries")
  void theAnswerIsTheInboxs(String sentence, Delivery delivery, Policy policy) {
    Deduplicator plain =
        world.opened(world.builder().transactional(transactions.inbox(), transactions).build());
    deliver(from(1));

    Outcome<String> answered = dedup.execute(delivery, writing, ResultCodec.text(), policy);

    assertThat(answered).isEqualTo(plain.execute(delivery, writing, ResultCodec.text(), policy));
    assertThat(writing.count()).isEqualTo(1);
  }

  @Test
  void theFrontIsWrittenAfterTheCommitAndNotBefore() {
    List<State> committed = new ArrayList<>();
    front.before(
        verb -> {
          if (verb.equals("merge")) {
            assertThat(transactions.isActive()).isFalse();
            committed.add(world.state());
          }
        });

    deliver(from(1));

    assertThat(committed).containsExactly(State.SUCCEEDED);
  }

  @Test
  void anIndeterminateCommitIsNotRememberedUntilTheDatabaseTells() {
    transactions.nextCommit(MemoryTransactions.storedAndAnswerLost());
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Indeterminate.class);
    assertThat(cache.find(KEY)).isEmpty();

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(cache.find(KEY)).contains(world.stored());
  }

  @Test
  void aCommitThatWasLostWithItsAnswerLeavesNothingInFront() {
    transactions.nextCommit(MemoryTransactions.answerLost());
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Indeterminate.class);

    assertThat(cache.find(KEY)).isEmpty();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void whatIsRolledBackLeavesNothingInFront() {
    dedup.execute(from(1), Runs.failing());
    transactions.nextCommit(MemoryTransactions.refused());
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Failed.class);
    assertThat(cache.find(KEY)).isEmpty();

    transactions.nextCommit(MemoryTransactions.conflict());
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
    assertThat(cache.find(KEY).orElseThrow().token()).isEqualTo(world.stored().token());
  }

  @Test
  void afterAFlushTheDatabaseAnswersAndTheFrontLearnsAgain() {
    deliver(from(1));
    cache.forget(KEY);

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);

    databaseIsDown();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(writing.count()).isEqualTo(1);
  }

  @Test
  void theFrontForgetsNoLaterThanTheDatabase() {
    deliver(from(1));
    world.clock.advance(TTL);

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void whileTheFrontIsDownDeliveriesGoOn() {
    front.goDown();

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);

    assertThat(transactions.effects()).containsExactly("charge");
    assertThat(world.events.of(DedupEvent.StoreFailed.class))
        .extracting(DedupEvent.StoreFailed::verb)
        .containsExactly("front-find");
  }

  @Test
  void aFrontThatIsDownIsAskedOnceInAWhileAndThenAnswersAgain() {
    deliver(from(1));
    front.goDown();
    front.forgetAsked();
    for (int i = 0; i < 10; i++) {
      deliver(from(1));
    }
    assertThat(front.asked()).hasSize(1);

    world.clock.advance(Duration.ofSeconds(5));
    deliver(from(1));
    assertThat(front.asked()).hasSize(2);

    front.heal();
    world.clock.advance(Duration.ofSeconds(5));
    databaseIsDown();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aHandlerThatWasInterruptedSilencesNoFront() {
    front.before(
        verb -> {
          if (Thread.currentThread().isInterrupted()) {
            throw new StoreUnavailable("interrupted", new InterruptedException());
          }
        });
    dedup.execute(
        from(1),
        context -> {
          Thread.currentThread().interrupt();
          return "receipt";
        });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.events.of(DedupEvent.StoreFailed.class)).isEmpty();

    deliver(from(1));
    databaseIsDown();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aFrontThatBreaksItsContractOrCannotBeReadCostsNoDelivery() {
    for (RuntimeException wrong :
        List.of(new StoreCorrupt("state: was 77"), new IllegalStateException("codec"))) {
      front.before(
          verb -> {
            throw wrong;
          });
      assertThat(deliver(from(1)).isDone()).isTrue();
    }
    assertThat(transactions.effects()).containsExactly("charge");
  }

  @Test
  void oneUnreadableRecordDoesNotSilenceTheFront() {
    deliver(from(1));
    front.before(
        verb -> {
          throw new StoreCorrupt("state: was 77");
        });
    deliver(from(1));
    front.heal();
    databaseIsDown();

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aForcedDeliveryRunsOnceAndTheFrontSaysNothingUntilItHasCommitted() {
    deliver(from(1));

    world.clock.advance(Duration.ofMillis(1));

    Outcome<String> forced =
        dedup.execute(
            from(2).asForced(),
            context -> {
              assertThat(cache.find(KEY).orElseThrow().isTombstone()).isTrue();
              transactions.write("refund");
              return "second receipt";
            },
            ResultCodec.text(),
            dedup.policy());

    assertThat(forced).isInstanceOf(Outcome.Executed.class);
    databaseIsDown();
    assertThat(deliver(from(1)).orElseThrow()).isEqualTo("second receipt");
    assertThat(transactions.effects()).containsExactly("charge", "refund");
  }

  @Test
  void aForcedDeliveryThatComesAgainIsAnOrdinaryDuplicate() {
    deliver(from(1));
    assertThat(deliver(from(2).asForced())).isInstanceOf(Outcome.Executed.class);

    assertThat(deliver(from(2).asForced())).isInstanceOf(Outcome.Duplicate.class);
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(writing.count()).isEqualTo(2);
  }

  @Test
  void aForcedDeliveryRunsWhileTheFrontIsDown() {
    deliver(from(1));
    front.goDown();

    assertThat(deliver(from(2).asForced())).isInstanceOf(Outcome.Executed.class);
    assertThat(writing.count()).isEqualTo(2);
  }

  @Test
  void aDuplicateThatSlidesIsTheDatabasesBusinessAndKeepsItsKeyForAnotherTtl() {
    Policy sliding = dedup.policy().with(p -> p.slide(true));
    dedup.execute(from(1), writing, ResultCodec.text(), sliding);
    world.clock.advance(TTL.minusDays(1));

    dedup.execute(from(1), writing, ResultCodec.text(), sliding);

    assertThat(world.stored().expires()).isEqualTo(world.clock.storeNow().plus(TTL));
  }

  @Test
  void aReopenedKeyRunsAgainThoughACopyOfWhatWasDoneComesLate() {
    deliver(from(1));
    ClaimRecord late = cache.find(KEY).orElseThrow();

    assertThat(operator.reopen(KEY, "olga", "wrong account"))
        .isInstanceOf(SettleAnswer.Applied.class);
    assertThat(cache.merge(Map.of(KEY, late))).isZero();

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
    databaseIsDown();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aForgottenKeyRunsAgainThoughACopyOfWhatWasDoneComesLate() {
    deliver(from(1));
    ClaimRecord late = cache.find(KEY).orElseThrow();

    assertThat(operator.forget(KEY)).isTrue();
    cache.merge(Map.of(KEY, late));

    assertThat(deliver(from(1))).isInstanceOf(Outcome.Executed.class);
    databaseIsDown();
    assertThat(deliver(from(1))).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void whileTheFrontIsDownNothingIsReopenedOrForgotten() {
    deliver(from(1));
    ClaimRecord row = world.stored();
    front.goDown();

    assertThatThrownBy(() -> operator.reopen(KEY, "olga", "again"))
        .isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(() -> operator.forget(KEY)).isInstanceOf(StoreUnavailable.class);

    assertThat(world.stored()).isEqualTo(row);
  }

  @Test
  void aForcedSuspectDeliveryRunsWhileTheFrontIsDown() {
    deliver(from(1));
    front.goDown();

    assertThat(deliver(from(2).asForced().asSuspect())).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void underALeaseTheDatabaseOfTheTwoDecides() {
    Deduplicator leasing = world.opened(builder(operator).build());

    assertThat(leasing.execute(KEY, Runs.answering("x"))).isInstanceOf(Outcome.Executed.class);
    assertThat(leasing.execute(KEY, Runs.answering("x"))).isInstanceOf(Outcome.Duplicate.class);
    assertThat(front.asked()).isEmpty();
  }

  private Deduplicator.Builder builder(TieredStore stores) {
    return Deduplicator.builder(stores).clock(world.clock).listener(world.events).owner("us");
  }

  /** A standby takes over that lacks the last commits. */
  @Test
  void afterAPromotionWhatTheFrontSaysOfTheDatabaseBeforeIsNotBelieved() {
    Map<String, InMemoryClaimStore> fronts = new HashMap<>();
    AtomicReference<String> identity = new AtomicReference<>("one");
    TieredStore stores =
        TieredStore.of(
            world.memory,
            identity::get,
            id ->
                fronts.computeIfAbsent(
                    id, x -> InMemoryClaimStore.create(world.clock.storeTime(), 100)));
    Deduplicator process =
        world.opened(builder(stores).transactional(transactions.inbox(), transactions).build());
    process.execute(
        from(1),
        context -> {
          identity.set("two");
          return "receipt";
        });
    assertThat(fronts.get("one").find(KEY)).as("committed before, as far as we know").isPresent();
    world.memory.forget(KEY);
    Deduplicator another =
        world.opened(
            builder(TieredStore.of(world.memory, identity::get, fronts::get))
                .transactional(transactions.inbox(), transactions)
                .build());
    fronts.put("two", InMemoryClaimStore.create(world.clock.storeTime(), 100));

    assertThat(another.execute(from(1), writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(fronts.get("two").find(KEY)).isPresent();
  }

  @Test
  void whileTheIdentityCannotBeReadTheDatabaseAnswers() {
    TieredStore stores =
        TieredStore.of(
            world.memory,
            () -> {
              throw new StoreUnavailable("connection refused", null);
            },
            id -> cache);
    Deduplicator process =
        world.opened(builder(stores).transactional(transactions.inbox(), transactions).build());

    assertThat(process.execute(from(1), writing)).isInstanceOf(Outcome.Executed.class);
    assertThat(process.execute(from(1), writing)).isInstanceOf(Outcome.Duplicate.class);
    assertThatThrownBy(stores::verify).isInstanceOf(StoreUnavailable.class);
    assertThat(cache.find(KEY)).isEmpty();
  }
}
