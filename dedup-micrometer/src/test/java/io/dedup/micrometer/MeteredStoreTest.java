// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeteredStoreTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration TTL = Duration.ofDays(1);
  private static final IdempotencyKey ONE = IdempotencyKey.of("payments", "1");
  private static final IdempotencyKey TWO = IdempotencyKey.of("payments", "2");

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final ManualTime time = ManualTime.atBeginning();
  private final ClaimStore memory = InMemoryClaimStore.create(time, 100);
  private boolean down;
  private final ClaimStore store = DedupMeters.of(registry).timed("memory", slow(memory));

  @Test
  void aBatchOfClaimsIsOneOperationOfItsSize() {
    store.claim(List.of(request(ONE), request(TWO)));

    assertThat(operations("claim").count()).isEqualTo(1);
    assertThat(operations("claim").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5);
    assertThat(registry.get("dedup.store.batch.size").tag("verb", "claim").summary().max())
        .isEqualTo(2);
  }

  @Test
  void settlingAndClaimingTogetherIsAnExchange() {
    Claim claim = claimed(ONE);
    store.exchange(
        List.of(new SettleRequest(claim, new Settlement.Complete(null, TTL))),
        List.of(request(TWO)));
    store.exchange(List.of(), List.of());

    assertThat(operations("exchange").count()).isEqualTo(1);
    assertThat(operations("time").count()).isEqualTo(1);
  }

  @Test
  void eachChangeOfStateIsCounted() {
    store.issue(TWO, TTL);
    settle(claimed(ONE), new Settlement.Start());
    settle(claimed(TWO), new Settlement.Fail("no", TTL, Duration.ZERO));
    settle(claimed(TWO), new Settlement.Release());
    settle(claimed(TWO), new Settlement.Complete(null, TTL));
    store.reopen(TWO, "ann", "wrong account");
    store.forget(TWO);

    assertThat(transitions("absent", "issued")).isEqualTo(1);
    assertThat(transitions("open", "processing")).isEqualTo(4);
    assertThat(transitions("processing", "failed")).isEqualTo(1);
    assertThat(transitions("processing", "released")).isEqualTo(1);
    assertThat(transitions("processing", "succeeded")).isEqualTo(1);
    assertThat(transitions("settled", "released")).isEqualTo(1);
    assertThat(transitions("any", "absent")).isEqualTo(1);
  }

  @Test
  void aTakeoverIsATransitionOfItsOwnAndWhatIsRefusedIsNone() {
    Claim lost = claimed(ONE);
    time.advance(LEASE);
    claimed(ONE);
    settle(lost, new Settlement.Complete(null, TTL));

    assertThat(transitions("processing", "processing")).isEqualTo(1);
    assertThat(registry.find("dedup.transitions").tag("to", "succeeded").counters()).isEmpty();
  }

  @Test
  void whatAnOperatorDecidesIsCounted() {
    Claim lost = claimed(ONE);
    time.advance(LEASE);
    store.resolve(ONE, lost.token(), new Resolution.Done(null, TTL), "ann", "seen in the books");

    assertThat(transitions("processing", "succeeded")).isEqualTo(1);
  }

  @Test
  void everyOtherVerbIsPassedOnAndTimed() {
    store.find(ONE);
    store.merge(Map.of());
    store.extend(List.of(ONE), TTL);
    store.extendScope("payments", TTL);
    store.purgeExpired(7);
    assertThat(store.stats().live()).isZero();

    for (String verb : List.of("find", "merge", "extend", "extend_scope", "purge", "stats")) {
      assertThat(operations(verb).count()).as(verb).isEqualTo(1);
    }
  }

  @Test
  void anOutageLastsFromTheFirstCallThatFailedToTheNextAnswer() {
    assertThat(outageSeconds()).isZero();
    down = true;
    assertThatThrownBy(() -> store.find(ONE)).isInstanceOf(StoreUnavailable.class);
    clock.add(Duration.ofSeconds(60));
    assertThatThrownBy(() -> store.find(ONE)).isInstanceOf(StoreUnavailable.class);

    assertThat(outageSeconds()).isBetween(60.0, 60.1);
    assertThat(
            registry
                .get("dedup.store.operations")
                .tags("verb", "find", "result", "store_unavailable")
                .timer()
                .count())
        .isEqualTo(2);

    down = false;
    store.find(ONE);
    assertThat(outageSeconds()).isZero();
  }

  @Test
  void aStoreThatIsOpenedAnewHasTheMetersOfItsName() {
    SimpleMeterRegistry own = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    DedupMeters meters = DedupMeters.of(own);
    meters.timed("front", memory).find(ONE);
    down = true;
    ClaimStore anew = meters.timed("front", slow(memory));

    assertThatThrownBy(() -> anew.find(ONE)).isInstanceOf(StoreUnavailable.class);
    clock.add(Duration.ofSeconds(60));

    assertThat(own.get("dedup.outage").timeGauge().value(TimeUnit.SECONDS)).isGreaterThan(59);
  }

  @Test
  void aRegistryThatBreaksDoesNotTurnAnAnswerIntoTrouble() {
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public MeterFilterReply accept(Meter.Id id) {
                throw new IllegalStateException("registry");
              }
            });

    assertThat(store.claim(List.of(request(ONE))).claimed().get(0))
        .isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void theCountOfKeysIsTheLastOneThatWasTaken() {
    DedupMeters meters = DedupMeters.of(registry);
    claimed(ONE);
    meters.storeKeys("memory", memory.stats());
    settle(claimed(TWO), new Settlement.Complete(null, TTL));
    meters.storeKeys("memory", memory.stats());

    assertThat(keys("processing")).isEqualTo(1);
    assertThat(keys("succeeded")).isEqualTo(1);
    assertThat(keys("expired")).isZero();
  }

  private double keys(String state) {
    return registry.get("dedup.store.keys").tags("store", "memory", "state", state).gauge().value();
  }

  private Claim claimed(IdempotencyKey key) {
    ClaimRequest request = request(key);
    Exchange exchange = store.claim(List.of(request));
    return request.claim(((ClaimAnswer.Acquired) exchange.claimed().get(0)).token());
  }

  private void settle(Claim claim, Settlement settlement) {
    store.settle(List.of(new SettleRequest(claim, settlement)));
  }

  private static ClaimRequest request(IdempotencyKey key) {
    return ClaimRequest.builder(key, "us", LEASE, TTL).build();
  }

  private double transitions(String from, String to) {
    return registry.get("dedup.transitions").tags("from", from, "to", to).counter().count();
  }

  private Timer operations(String verb) {
    return registry
        .get("dedup.store.operations")
        .tags("store", "memory", "verb", verb, "result", "answered")
        .timer();
  }

  private double outageSeconds() {
    return registry.get("dedup.outage").timeGauge().value(TimeUnit.SECONDS);
  }

  /** A way to the store that takes five milliseconds, or is down. */
  private ClaimStore slow(ClaimStore target) {
    return (ClaimStore)
        Proxy.newProxyInstance(
            ClaimStore.class.getClassLoader(),
            new Class<?>[] {ClaimStore.class},
            (proxy, method, args) -> {
              clock.add(Duration.ofMillis(5));
              if (down) {
                throw new StoreUnavailable("down", null);
              }
              return method.invoke(target, args);
            });
  }
}
