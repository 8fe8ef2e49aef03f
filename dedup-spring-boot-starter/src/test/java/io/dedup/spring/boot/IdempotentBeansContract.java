// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dedup.Deduplicator;
import io.dedup.EffectNotDone;
import io.dedup.Outcome;
import io.dedup.ResultUnavailable;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.key.IdempotencyKey;
import io.dedup.spring.bean.KeyRefused;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;

/** What guarded methods of beans promise under a lease, whatever the store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class IdempotentBeansContract {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String SHOP = "io.dedup.spring.boot.Shop.";

  private ConfigurableApplicationContext context;
  private Shop shop;
  private Shop.Floor floor;
  private String number;

  abstract ConfigurableApplicationContext start();

  @BeforeAll
  void startOnce() {
    context = start();
    shop = context.getBean(Shop.class);
    floor = context.getBean(Shop.Floor.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  @BeforeEach
  void clear() {
    floor.effects.clear();
    floor.remote = Shop.Floor::answer;
    floor.within = () -> {};
    number = UUID.randomUUID().toString();
  }

  @Test
  void aRepeatedCallGetsWhatTheFirstAnsweredWithItsType() {
    Shop.Order order = new Shop.Order(number, 500);
    Shop.Receipt first = shop.pay(order, "card");

    assertThat(shop.pay(order, "card")).isEqualTo(first).isInstanceOf(Shop.Receipt.class);
    assertThat(floor.effects).containsExactly("pay " + number);
    shop.pay(order, "cash");
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void ttlAndLeaseAreThoseOfTheAnnotation() {
    shop.pay(new Shop.Order(number, 500), "card");

    ClaimRecord record = stored("pay(Order,String)", number + ":card");
    assertThat(Duration.between(record.updated(), record.expires()))
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void voidAndNullAndPrimitiveAnswersAreReplayedAsSuch() {
    shop.ship(number);
    shop.ship(number);
    assertThat(shop.note(number)).isNull();
    assertThat(shop.note(number)).isNull();
    assertThat(shop.count(number)).isEqualTo(3);
    assertThat(shop.count(number)).isEqualTo(3);

    assertThat(floor.effects)
        .containsExactly("ship " + number, "note " + number, "count " + number);
  }

  /** Done by an operator, or by a caller who kept nothing: null would be an invention. */
  @Test
  void anAnswerThatWasNotKeptIsRefusedAndNotTakenForNull() {
    Deduplicator dedup = context.getBean(Deduplicator.class);
    dedup.execute(key("note(String)", number), context -> "elsewhere");

    assertThatThrownBy(() -> shop.note(number))
        .isInstanceOf(StoreCorrupt.class)
        .hasRootCauseInstanceOf(ResultUnavailable.class);
    assertThat(floor.effects).isEmpty();
  }

  @Test
  void anExceptionGivesTheKeyBackAndTheNextCallRuns() {
    Shop.Order order = new Shop.Order(number, 1);
    floor.within =
        () -> {
          throw new IllegalStateException("gateway down");
        };
    assertThatThrownBy(() -> shop.pay(order, "card"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("gateway down");
    floor.within = () -> {};

    assertThat(shop.pay(order, "card").cents()).isEqualTo(1);
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void aRecordedExceptionIsTheAnswerOfLaterCalls() {
    assertThatThrownBy(() -> shop.risky(number)).isInstanceOf(Shop.Declined.class);

    assertThatThrownBy(() -> shop.risky(number))
        .isInstanceOf(EffectNotDone.class)
        .hasMessageContaining("no funds");
    assertThat(floor.effects).hasSize(1);
    assertThat(stored("risky(String)", number).state()).isEqualTo(State.FAILED);
  }

  @Test
  void anExceptionThatIsExceptedFromThoseGivesTheKeyBack() {
    for (int i = 1; i <= 2; i++) {
      assertThatThrownBy(() -> shop.fragile(number)).isInstanceOf(Shop.Broken.class);
      assertThat(floor.effects).hasSize(i);
    }
    assertThat(stored("fragile(String)", number).state()).isEqualTo(State.RELEASED);
  }

  @Test
  void aCallWithoutAKeyIsRefusedOrRunsUnguardedAsThePolicyHasIt() {
    assertThatThrownBy(() -> shop.pay(new Shop.Order(null, 1), "card"))
        .isInstanceOf(KeyRefused.class)
        .hasMessageContaining("#order.number + ':' + #type was null or blank")
        .hasMessageContaining("Shop.pay(Order,String)");
    assertThat(floor.effects).isEmpty();

    shop.open(" ");
    shop.open(null);
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void aParameterOfTheContextsTypeIsGivenTheClaims() {
    shop.told(number, null);

    assertThat(floor.seen.key()).isEqualTo(IdempotencyKey.of("shop", number));
    assertThat(floor.seen.fencingToken()).isPositive();
    assertThat(context.getBean(ClaimStore.class).find(floor.seen.key())).isPresent();
  }

  @Test
  void whileOneRunsAnotherFailsAtOnceOrWaitsForItsAnswer() throws Exception {
    CountDownLatch entered = new CountDownLatch(2);
    CountDownLatch leave = new CountDownLatch(1);
    floor.within = () -> passed(entered, leave);
    var fast = CompletableFuture.supplyAsync(() -> shop.count(number));
    var patient = CompletableFuture.supplyAsync(() -> shop.patient(number));
    assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

    assertThatThrownBy(() -> shop.count(number))
        .isInstanceOfSatisfying(
            EffectNotDone.class,
            e -> assertThat(e.outcome()).isInstanceOf(Outcome.InProgress.class));
    var waiting = CompletableFuture.supplyAsync(() -> shop.patient(number));
    leave.countDown();

    assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(patient.get(20, TimeUnit.SECONDS));
    fast.get(20, TimeUnit.SECONDS);
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void aFutureCompletesItsKeyWhenItsValueDoes() throws Exception {
    CompletableFuture<Shop.Receipt> answer = new CompletableFuture<>();
    floor.remote = () -> answer;
    CompletableFuture<Shop.Receipt> first = shop.later(number);
    assertThat(first).isNotDone();
    assertThat(stored("later(String)", number).state()).isEqualTo(State.PROCESSING);

    answer.complete(new Shop.Receipt("r-9", 9));

    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(new Shop.Receipt("r-9", 9));
    assertThat(stored("later(String)", number).state()).isEqualTo(State.SUCCEEDED);
    assertThat(shop.later(number).get(20, TimeUnit.SECONDS)).isEqualTo(new Shop.Receipt("r-9", 9));
    shop.sometime(number).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(shop.sometime(number).toCompletableFuture().get(20, TimeUnit.SECONDS)).isNull();
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void aFutureThatFailsGivesTheKeyBack() throws Exception {
    floor.remote = () -> CompletableFuture.failedFuture(new Shop.Declined("later"));
    assertThatThrownBy(() -> shop.later(number).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(Shop.Declined.class);
    floor.remote = Shop.Floor::answer;

    assertThat(shop.later(number).get(20, TimeUnit.SECONDS).id()).isEqualTo("r-1");
    assertThat(floor.effects).hasSize(2);
  }

  @Test
  void aMethodThatThrowsInsteadOfReturningAFutureGivesTheKeyBack() throws Exception {
    floor.within =
        () -> {
          throw new Shop.Broken();
        };
    assertThatThrownBy(() -> shop.later(number)).isInstanceOf(Shop.Broken.class);
    floor.within = () -> {};

    assertThat(shop.later(number).get(20, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void aSecondCallWaitsForTheFutureOfTheFirst() throws Exception {
    CompletableFuture<Shop.Receipt> answer = new CompletableFuture<>();
    floor.remote = () -> answer;
    CompletableFuture<Shop.Receipt> first = shop.later(number);
    var second = CompletableFuture.supplyAsync(() -> shop.later(number).join());
    answer.complete(new Shop.Receipt("r-2", 2));

    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(first.get(20, TimeUnit.SECONDS));
    assertThat(floor.effects).hasSize(1);
  }

  @Test
  void aMonoRunsWhenItIsSubscribedToAndOnce() {
    Mono<Shop.Receipt> mono = shop.reactive(number);
    assertThat(floor.effects).isEmpty();

    Shop.Receipt first = mono.block(LONG);
    assertThat(mono.block(LONG)).isEqualTo(first).isInstanceOf(Shop.Receipt.class);
    assertThat(shop.reactive(number).block(LONG)).isEqualTo(first);
    assertThat(floor.effects).containsExactly("reactive " + number);
  }

  @Test
  void aSubscriberThatLeavesDoesNotUndoWhatIsBegun() {
    CompletableFuture<Shop.Receipt> answer = new CompletableFuture<>();
    floor.remote = () -> answer;
    var subscription = shop.reactive(number).subscribe();
    await().atMost(LONG).until(() -> !floor.effects.isEmpty());
    subscription.dispose();
    answer.complete(new Shop.Receipt("r-3", 3));

    await().atMost(LONG).until(() -> stored("reactive(String)", number).state() == State.SUCCEEDED);
    assertThat(shop.reactive(number).block(LONG).id()).isEqualTo("r-3");
  }

  private static void passed(CountDownLatch entered, CountDownLatch leave) {
    entered.countDown();
    try {
      assertThat(leave.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static IdempotencyKey key(String method, String id) {
    return IdempotencyKey.of(SHOP + method, id);
  }

  private ClaimRecord stored(String method, String id) {
    return context.getBean(ClaimStore.class).find(key(method, id)).orElseThrow();
  }
}
