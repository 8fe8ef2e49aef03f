// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeyStore;
import io.dedup.claim.HotKeys;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoredResult;
import io.dedup.claim.TieredStore;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process remembers of keys that many ask for. */
class HotKeysTest {

  private static final Duration MAX_AGE = Duration.ofSeconds(2);
  private static final Duration BUSY = Duration.ofMillis(100);
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final World world = new World();
  private final HotKeys keys = hot(h -> h);
  private final HotKeyStore store = HotKeyStore.of(world.store, keys);
  private final Deduplicator dedup = deduplicator(store);

  @AfterEach
  void close() {
    world.close();
  }

  private HotKeys hot(UnaryOperator<HotKeys.Builder> changes) {
    return changes
        .apply(HotKeys.builder().maxAge(MAX_AGE).busyWindow(BUSY).clock(world.clock))
        .build();
  }

  private Deduplicator deduplicator(ClaimStore on) {
    return world.opened(
        Deduplicator.builder(on).clock(world.clock).listener(world.events).owner("us").build());
  }

  private Outcome<String> ask() {
    return ask(World.delivery());
  }

  private Outcome<String> ask(Delivery delivery) {
    return dedup.execute(delivery, context -> "receipt", ResultCodec.text(), dedup.policy());
  }

  private long asked() {
    return world.store.sent().stream().filter(FaultyStore.Sent::asksForKeys).count();
  }

  @Test
  void repeatsOfADoneKeyAreAnsweredWithoutTheStore() {
    ask();
    Outcome<String> fromStore = ask();
    long before = asked();
    for (int i = 0; i < 100; i++) {
      assertThat(ask()).isEqualTo(fromStore);
    }

    assertThat(asked()).isEqualTo(before);
    assertThat(keys.completedAnswers()).isEqualTo(100);
    assertThat(fromStore.orElseThrow()).isEqualTo("receipt");
  }

  /** Each repeat counts as a duplicate, whoever knew it. */
  @Test
  void listenersAreToldOfEachRepeat() {
    ask();
    ask();
    ask();

    assertThat(world.events.names().stream().filter("Decided"::equals)).hasSize(3);
  }

  @Test
  void afterItsAgeTheStoreIsAskedAgain() {
    ask();
    ask();
    long before = asked();
    world.clock.advance(MAX_AGE.minus(TICK));
    ask();
    assertThat(asked()).isEqualTo(before);

    world.clock.advance(TICK);
    ask();
    assertThat(asked()).isEqualTo(before + 1);
  }

  @Test
  void nothingIsRememberedBeyondItsTtl() {
    Duration ttl = Duration.ofSeconds(30);
    dedup.execute(
        World.delivery(), c -> "first", ResultCodec.text(), dedup.policy().with(p -> p.ttl(ttl)));
    world.clock.advance(ttl.minusMillis(1));
    assertThat(ask().orElseThrow()).isEqualTo("first");

    world.clock.advance(Duration.ofMillis(1));

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void whatIsNotDoneIsNeverRememberedAsDone() {
    Outcome<String> failed =
        dedup.execute(
            KEY,
            context -> {
              throw new IllegalStateException("declined");
            });
    assertThat(failed).isInstanceOf(Outcome.Failed.class);

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
    assertThat(keys.completedAnswers()).isZero();
  }

  @Test
  void anotherMessageWithTheKeyIsAConflictAsTheStoreHasIt() {
    Delivery one = World.delivery().withFingerprint(Fingerprint.raw(new byte[] {1}));
    ask(one);
    ask(one);
    Delivery other = World.delivery().withFingerprint(Fingerprint.raw(new byte[] {2}));

    assertThat(ask(other)).isInstanceOf(Outcome.Conflict.class);
    assertThat(ask(one)).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void aKeyThatIsReopenedHereRunsAtOnce() {
    ask();
    ask();
    store.reopen(KEY, "ann", "charged the wrong account");

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aKeyThatIsForgottenHereRunsAtOnce() {
    ask();
    ask();
    store.forget(KEY);

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aKeyThatAnotherProcessReopensRunsAfterTheAgeAtTheLatest() {
    ask();
    ask();
    world.memory.reopen(KEY, "ann", "charged the wrong account");
    assertThat(ask()).isInstanceOf(Outcome.Duplicate.class);

    world.clock.advance(MAX_AGE);

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aForcedDeliveryRunsAndItsResultIsTheNextAnswer() {
    ask();
    ask();
    Outcome<String> forced =
        dedup.execute(
            World.delivery().withOrigin(World.record(7)).asForced(),
            context -> "second",
            ResultCodec.text(),
            dedup.policy());

    assertThat(forced).isInstanceOf(Outcome.Executed.class);
    assertThat(ask().orElseThrow()).isEqualTo("second");
  }

  @Test
  void aKeyThatSlidesIsExtendedByEachRepeat() {
    UnaryOperator<Policy.Builder> slide = p -> p.slide(true);
    for (int i = 0; i < 3; i++) {
      World.execute(dedup, slide, context -> "receipt");
      world.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(world.stored().expires())
        .isEqualTo(world.clock.storeNow().minusSeconds(1).plus(TTL));
  }

  /** The answer that was on its way when the key was reopened must not be put back. */
  @Test
  void anAnswerThatArrivesAfterItsKeyWasReopenedIsNotRemembered() {
    ask();
    world.store.fail(
        FaultyStore.Sent::asksForKeys,
        1,
        (inner, sent) -> {
          var answer = inner.exchange(sent.settlements(), sent.claims());
          store.reopen(KEY, "ann", "in between");
          return answer;
        });
    assertThat(ask()).isInstanceOf(Outcome.Duplicate.class);

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aBusyKeyIsAnsweredLocallyForAShortWindow() {
    world.rivalStarts(KEY);
    for (int i = 0; i < 50; i++) {
      assertThat(ask()).isInstanceOf(Outcome.InProgress.class);
    }
    assertThat(asked()).isEqualTo(1);
    assertThat(keys.busyAnswers()).isEqualTo(49);

    world.clock.advance(BUSY);
    ask();
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void aLeaseThatEndsSoonerIsNotTakenForBusyAnyLonger() {
    world.rivalStarts(KEY);
    world.clock.advance(World.LEASE.minusMillis(10));
    ask();

    world.clock.advance(Duration.ofMillis(10));

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
  }

  /** One asks for all who wait, and all get the answer when it comes. */
  @Test
  void whoWaitsForOneKeyInAProcessAsksTogether() throws Exception {
    Claim rival = world.rivalStarts(KEY);
    // Each waiter that sleeps moves the clock.
    world.clock.after(
        Duration.ofSeconds(20),
        () ->
            world.rivalSettles(
                rival, new Settlement.Complete(new StoredResult("text/plain", new byte[0]), TTL)));
    Duration wait = Duration.ofDays(6);
    List<CompletableFuture<Outcome<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waiting.add(
          CompletableFuture.supplyAsync(
              () -> World.execute(dedup, p -> p.inProgressWait(wait), c -> "again"),
              task -> new Thread(task, "waiter").start()));
    }
    for (CompletableFuture<Outcome<String>> one : waiting) {
      assertThat(one.get(60, TimeUnit.SECONDS)).isInstanceOf(Outcome.Duplicate.class);
    }

    long windows = world.clock.elapsed().dividedBy(BUSY) + 2;
    assertThat(asked()).isLessThanOrEqualTo(windows + 8);
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void whatIsLargeIsNotRememberedBeyondTheBytesAllowed() {
    HotKeys small = hot(h -> h.maxBytes(10_000));
    Deduplicator narrow = deduplicator(HotKeyStore.of(world.store, small));
    for (int round = 0; round < 2; round++) {
      narrow.execute(
          World.delivery(), c -> "x".repeat(20_000), ResultCodec.text(), narrow.policy());
    }
    long before = asked();
    narrow.execute(World.delivery(), c -> "", ResultCodec.text(), narrow.policy());

    assertThat(asked()).isEqualTo(before + 1);
  }

  @Test
  void aDoneKeyIsAnsweredBeforeATransactionBegins() {
    MemoryTransactions transactions = new MemoryTransactions(world);
    FaultyStore inbox = new FaultyStore(transactions.inbox());
    Deduplicator transactional =
        world.opened(
            Deduplicator.builder(HotKeyStore.of(world.memory, hot(h -> h)))
                .clock(world.clock)
                .transactional(inbox, transactions)
                .build());
    for (int i = 0; i < 2; i++) {
      transactional.execute(KEY, context -> "receipt");
    }
    int before = inbox.sent().size();

    assertThat(transactional.execute(KEY, context -> "again"))
        .isInstanceOf(Outcome.Duplicate.class);
    assertThat(inbox.sent()).hasSize(before);
  }

  /** Within the transaction the key is done, and if that is rolled back it never was. */
  @Test
  void whatATransactionHasNotCommittedIsNotRemembered() {
    MemoryTransactions transactions = new MemoryTransactions(world);
    Deduplicator transactional =
        world.opened(
            Deduplicator.builder(HotKeyStore.of(world.memory, hot(h -> h)))
                .clock(world.clock)
                .transactional(transactions.inbox(), transactions)
                .build());
    transactions.begin();
    for (int i = 0; i < 2; i++) {
      transactional.executeJoined(
          World.delivery(), c -> "receipt", ResultCodec.text(), transactional.policy());
    }
    transactions.rollback();

    assertThat(transactional.execute(KEY, c -> "receipt")).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void aDatabaseWithAStoreInFrontKeepsItsFrontBehindTheMemory() {
    MemoryTransactions transactions = new MemoryTransactions(world);
    FaultyStore inbox = new FaultyStore(transactions.inbox());
    FaultyStore front = new FaultyStore(InMemoryClaimStore.create(world.clock.storeTime(), 100));
    Deduplicator tiered =
        world.opened(
            Deduplicator.builder(HotKeyStore.of(TieredStore.of(world.memory, front), hot(h -> h)))
                .clock(world.clock)
                .transactional(inbox, transactions)
                .build());
    tiered.execute(KEY, c -> "receipt");
    assertThat(front.find(KEY)).isPresent();
    int before = inbox.sent().size();

    assertThat(tiered.execute(KEY, c -> "again")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(inbox.sent()).hasSize(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-1S", "PT61S"})
  void anAgeThatCannotBeIsRefused(Duration age) {
    assertThatThrownBy(() -> HotKeys.builder().maxAge(age))
        .hasMessage("max-age: was " + age + ", must be PT0S to PT1M");
  }

  @Test
  void withoutAgeAndWindowTheStoreIsAskedEachTime() {
    Deduplicator plain =
        deduplicator(
            HotKeyStore.of(
                world.store, hot(h -> h.maxAge(Duration.ZERO).busyWindow(Duration.ZERO))));
    IdempotencyKey key = IdempotencyKey.of("payments", "1");
    for (int i = 0; i < 4; i++) {
      plain.execute(key, context -> "receipt");
    }
    assertThat(asked()).isEqualTo(4);
  }
}
