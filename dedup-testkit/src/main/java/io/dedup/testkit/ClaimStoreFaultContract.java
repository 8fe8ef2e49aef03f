// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimAnswer.InProgress;
import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Holder;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.claim.StoreTime;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.FaultProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a store over a network must do when the network fails: trouble is {@link StoreUnavailable}
 * and never an answer, a request sent again has one effect, and the same store object works again
 * when the network does.
 *
 * <p>A store may send a request again by itself; then the answer is the right one. Give it short
 * time-outs, for connections and for commands: a second each is plenty on one machine, and many
 * tests here wait for them.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class ClaimStoreFaultContract {

  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final Duration TTL = Duration.ofHours(2);
  private static final Settlement DONE = new Settlement.Complete(null, TTL);
  private static final SettleAnswer APPLIED = new SettleAnswer.Applied();
  private static final String WITHOUT_REPLIES = "without replies";
  private static final int RIVALS = 3;
  private static final int KEYS = 20;

  private ManualTime time;
  private ClaimStore store;
  private ClaimStore direct;
  private FaultProxy network;
  private IdempotencyKey key;

  /** For a subclass. */
  protected ClaimStoreFaultContract() {}

  /**
   * Returns the proxy through which, and only through which, {@link #createStore} reaches its
   * server.
   */
  protected abstract FaultProxy proxy();

  /** Returns a store behind the proxy that judges by {@code time}. */
  protected abstract ClaimStore createStore(StoreTime time);

  /** Returns a store over the same data that does without the proxy. */
  protected abstract ClaimStore createDirectStore(StoreTime time);

  /** Returns how long a store may take to work again after its network does. */
  protected Duration patience() {
    return Duration.ofSeconds(30);
  }

  @BeforeEach
  void openStores() {
    time = ManualTime.atBeginning();
    network = proxy();
    network.heal();
    store = createStore(time);
    direct = createDirectStore(time);
    key = IdempotencyKey.of("faults/" + UUID.randomUUID(), "key");
    // Connected, and with the scripts it needs: what fails below is the network, not the start.
    untilAnswered(() -> claim(store, request("warm-up", "anna")));
  }

  @AfterEach
  void healNetwork() {
    network.heal();
  }

  static Stream<Named<Question>> hotVerbsAndFind() {
    return Stream.of(
        named("claim", (store, key) -> claim(store, requestFor(key, "anna"))),
        named("settle", (store, key) -> settle(store, new Claim(key, ClaimId.next(), 1), DONE)),
        named("find", ClaimStore::find));
  }

  static Stream<Named<Question>> everyVerb() {
    return Stream.concat(
        hotVerbsAndFind(),
        Stream.of(
            named("issue", (store, key) -> store.issue(key, TTL)),
            named(
                "resolve",
                (store, key) -> store.resolve(key, 1, new Resolution.NotDone(), "olga", "late")),
            named("reopen", (store, key) -> store.reopen(key, "olga", "again")),
            named("forget", ClaimStore::forget),
            named("merge", (store, key) -> store.merge(Map.of(key, someRecord()))),
            named("extend", (store, key) -> store.extend(List.of(key), TTL)),
            named("extendScope", (store, key) -> store.extendScope(key.scope(), TTL)),
            named("purgeExpired", (store, key) -> store.purgeExpired(1)),
            named("stats", (store, key) -> store.stats())));
  }

  static Stream<Named<Consumer<FaultProxy>>> faults() {
    return Stream.of(
        Named.of("refused", FaultProxy::refuse),
        Named.of(WITHOUT_REPLIES, FaultProxy::cutReplies),
        Named.of("stalled", FaultProxy::stall));
  }

  private static Named<Question> named(String verb, Question question) {
    return Named.of(verb, question);
  }

  @ParameterizedTest
  @MethodSource("everyVerb")
  void whenNoConnectionCanBeMadeTheStoreIsUnavailable(Question question) {
    network.refuse();
    assertUnavailable(question);
  }

  @ParameterizedTest
  @MethodSource("hotVerbsAndFind")
  void whenNoReplyComesTheStoreIsUnavailable(Question question) {
    network.cutReplies();
    assertUnavailable(question);
  }

  @ParameterizedTest
  @MethodSource("hotVerbsAndFind")
  void whenNothingMovesTheStoreIsUnavailable(Question question) {
    network.stall();
    assertUnavailable(question);
  }

  private void assertUnavailable(Question question) {
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> question.ask(store, key));
  }

  @Test
  void whatIsDoneIsUnavailableTooWhileTheNetworkIsDown() {
    Claim claim = acquire("anna");
    assertThat(settle(direct, claim, DONE)).isEqualTo(APPLIED);
    network.refuse();
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> claim(store, requestFor(key, "bert")));
  }

  @Test
  void anEmptyBatchDoesNotInventTheServersTime() {
    ClaimStore byItsOwnClock = createStore(StoreTime.ofServer());
    network.refuse();
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> byItsOwnClock.exchange(List.of(), List.of()));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theSameStoreWorksAgainWhenTheNetworkDoes(Consumer<FaultProxy> fault) {
    fault.accept(network);
    assertUnavailable(ClaimStore::find);
    network.heal();
    ClaimRequest request = requestFor(key, "anna");
    ClaimAnswer answer = untilAnswered(() -> claim(store, request));
    assertThat(answer).isInstanceOf(Acquired.class);
    assertThat(direct.find(key)).isPresent();
  }

  @Test
  void aClaimWhoseReplyWasLostIsTheSameClaimWhenItIsSentAgain() {
    ClaimRequest request = requestFor(key, "anna");
    network.dropNextReply();
    Acquired answer = (Acquired) untilAnswered(() -> claim(store, request));
    assertThat(answer.attempt()).isEqualTo(1);
    assertThat(answer.takenOver()).isFalse();
    ClaimRecord record = direct.find(key).orElseThrow();
    assertThat(record.claimId()).isEqualTo(request.claimId());
    assertThat(record.token()).isEqualTo(answer.token());
    assertThat(record.attempts()).isEqualTo(1);
    assertThat(claim(direct, requestFor(key, "bert"))).isInstanceOf(InProgress.class);
  }

  @Test
  void aCompletionWhoseReplyWasLostIsAppliedOnce() {
    Claim claim = acquire("anna");
    network.dropNextReply();
    assertThat(untilAnswered(() -> settle(store, claim, DONE))).isEqualTo(APPLIED);
    ClaimRecord done = direct.find(key).orElseThrow();
    assertThat(done.state()).isEqualTo(State.SUCCEEDED);
    assertThat(done.token()).isEqualTo(claim.token());
  }

  static Stream<Named<Consumer<FaultProxy>>> faultsThatHoldRequestsBack() {
    return faults().filter(fault -> !fault.getName().equals(WITHOUT_REPLIES));
  }

  /** What stalled may still arrive, and then comes late. */
  @ParameterizedTest
  @MethodSource("faultsThatHoldRequestsBack")
  void aCompletionThatWasHeldBackIsFencedAfterATakeover(Consumer<FaultProxy> fault) {
    Claim claim = acquire("anna");
    fault.accept(network);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> settle(store, claim, DONE));
    time.advance(LEASE);
    assertThat(claim(direct, requestFor(key, "bert"))).isInstanceOf(Acquired.class);
    ClaimRecord taken = direct.find(key).orElseThrow();
    network.heal();
    assertThat(untilAnswered(() -> settle(store, claim, DONE)))
        .isEqualTo(new SettleAnswer.Fenced(Holder.of(taken)));
    assertThat(direct.find(key)).contains(taken);
  }

  @Test
  void aClaimThatStalledBelongsToWhoSentIt() {
    ClaimRequest request = requestFor(key, "anna");
    network.stall();
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> claim(store, request));
    network.heal();
    Acquired answer = (Acquired) untilAnswered(() -> claim(store, request));
    assertThat(settle(direct, request.claim(answer.token()), DONE)).isEqualTo(APPLIED);
  }

  @Test
  void aStormOfLostRepliesLosesNothingAndDoublesNothing() {
    List<IdempotencyKey> keys =
        IntStream.range(0, KEYS).mapToObj(i -> IdempotencyKey.of(key.scope(), "s" + i)).toList();
    // Not synchronised on purpose: a second owner would lose a count or add one.
    int[] effects = new int[KEYS];
    try (Race race = new Race(RIVALS, List.of(store))) {
      race.run(
          IntStream.range(0, RIVALS)
              .<Race.Runner<Boolean>>mapToObj(i -> shared -> deliverAll(keys, effects, i))
              .toList());
    }
    network.heal();
    assertThat(effects).containsOnly(1);
    for (IdempotencyKey each : keys) {
      ClaimRecord done = untilAnswered(() -> store.find(each)).orElseThrow();
      assertThat(done.state()).isEqualTo(State.SUCCEEDED);
    }
  }

  private boolean deliverAll(List<IdempotencyKey> keys, int[] effects, int rival) {
    for (int i = 0; i < KEYS; i++) {
      int mine = (i * 7 + rival) % KEYS;
      ClaimRequest request = requestFor(keys.get(mine), "rival-" + rival);
      if ((i + rival) % 2 == 0) {
        network.dropNextReply();
      }
      if (untilAnswered(() -> claim(store, request)) instanceof Acquired acquired) {
        effects[mine]++;
        if ((i + rival) % 3 == 0) {
          network.dropNextReply();
        }
        Claim claim = request.claim(acquired.token());
        assertThat(untilAnswered(() -> settle(store, claim, DONE))).isEqualTo(APPLIED);
      }
    }
    return true;
  }

  private Claim acquire(String owner) {
    ClaimRequest request = requestFor(key, owner);
    Acquired answer = (Acquired) untilAnswered(() -> claim(store, request));
    return request.claim(answer.token());
  }

  /** Sends again what found the store unavailable. Any other trouble ends the test. */
  private <T> T untilAnswered(Callable<T> question) {
    return await()
        .atMost(patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .ignoreExceptionsInstanceOf(StoreUnavailable.class)
        .until(question, answer -> true);
  }

  private ClaimRequest request(String id, String owner) {
    return requestFor(IdempotencyKey.of(key.scope(), id), owner);
  }

  private static ClaimRequest requestFor(IdempotencyKey key, String owner) {
    return ClaimRequest.builder(key, owner, LEASE, TTL).build();
  }

  private static ClaimAnswer claim(ClaimStore store, ClaimRequest request) {
    return store.claim(List.of(request)).claimed().get(0);
  }

  private static SettleAnswer settle(ClaimStore store, Claim claim, Settlement settlement) {
    return store.settle(List.of(new SettleRequest(claim, settlement))).settled().get(0);
  }

  private static ClaimRecord someRecord() {
    Instant now = ManualTime.atBeginning().now();
    return ClaimRecords.plainlyDone(now, now.plus(TTL));
  }

  /** Asks a store something. */
  interface Question {
    Object ask(ClaimStore store, IdempotencyKey key);
  }
}
