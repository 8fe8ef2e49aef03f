// SPDX-License-Identifier: Apache-2.0
package io.dedup.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.dedup.DedupEvent;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.DuplicateReason;
import io.dedup.Outcome;
import io.dedup.claim.Holder;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.Origin;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DedupMetersTest {

  private static final IdempotencyKey KEY = IdempotencyKey.of("ann@example.org", "secret-4711");

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final DedupMeters meters = DedupMeters.of(registry);
  private final Deduplicator dedup =
      Deduplicator.builder(meters.timed("memory", InMemoryClaimStore.create()))
          .policy(p -> p.ttl(Duration.ofDays(10)))
          .listener(meters)
          .build();

  @AfterEach
  void close() {
    dedup.close();
  }

  @Test
  void aDeliveryThatRunsCountsOnceAndSoDoesItsDuplicate() {
    dedup.execute(delivery(1), context -> "receipt");
    dedup.execute(delivery(1), context -> "receipt");
    dedup.execute(delivery(2), context -> "receipt");

    assertThat(claims("executed", "none")).isEqualTo(1);
    assertThat(claims("duplicate", "redelivery")).isEqualTo(1);
    assertThat(claims("duplicate", "other_record")).isEqualTo(1);
    assertThat(registry.find("dedup.claims").counters()).hasSize(3);
  }

  @Test
  void aHandlerIsTimedByHowItEnded() {
    dedup.execute(delivery(1), context -> "receipt");
    dedup.execute(
        Delivery.of(IdempotencyKey.of("payments", "2")).withLabel("orders"),
        context -> {
          throw new IllegalStateException("no");
        });

    assertThat(timer("dedup.handler", "result", "returned").count()).isEqualTo(1);
    assertThat(timer("dedup.handler", "result", "failed").count()).isEqualTo(1);
    assertThat(registry.get("dedup.errors").tag("type", "handler").counter().count()).isEqualTo(1);
    assertThat(claims("failed", "none")).isEqualTo(1);
  }

  @Test
  void aKeyThatStandsForAnotherMessageCountsAsAConflict() {
    dedup.execute(delivery(1).withFingerprint(Fingerprint.raw(new byte[] {1})), context -> "one");
    dedup.execute(delivery(1).withFingerprint(Fingerprint.raw(new byte[] {2})), context -> "two");

    assertThat(claims("conflict", "none")).isEqualTo(1);
  }

  @Test
  void aKeyThatIsBusyCountsAsInProgress() {
    dedup.execute(
        delivery(1), context -> dedup.execute(delivery(1), inner -> "never").isDone() ? "x" : "y");

    assertThat(claims("in_progress", "none")).isEqualTo(1);
    assertThat(claims("executed", "none")).isEqualTo(1);
  }

  @Test
  void theAgeOfADuplicateIsMeasuredAndSetAgainstItsTtl() {
    Instant now = Instant.ofEpochMilli(clock.wallTime());
    meters.on(duplicateDone(now.minus(Duration.ofDays(9)), Duration.ofDays(10)));

    assertThat(timer("dedup.duplicate.age").totalTime(TimeUnit.DAYS)).isEqualTo(9);
    assertThat(registry.get("dedup.duplicate.age.ratio").summary().max()).isEqualTo(0.9);
  }

  @Test
  void aDuplicateOfAStoreWhoseClockIsAheadHasNoAge() {
    Instant ahead = Instant.ofEpochMilli(clock.wallTime()).plusSeconds(5);
    meters.on(duplicateDone(ahead, Duration.ofDays(10)));

    assertThat(timer("dedup.duplicate.age").totalTime(TimeUnit.SECONDS)).isZero();
  }

  @Test
  void aDuplicateWithoutAKnownTtlHasNoRatio() {
    meters.on(duplicateDone(Instant.ofEpochMilli(clock.wallTime()), Duration.ZERO));

    assertThat(registry.find("dedup.duplicate.age.ratio").summaries()).isEmpty();
  }

  @Test
  void onlyDeliveriesThatWaitedAreInTheTimeOfWaiting() {
    Outcome<String> done = new Outcome.Executed<>("x", 1);
    meters.on(new DedupEvent.Decided(KEY, done, "orders", Duration.ZERO, Duration.ofDays(1)));
    meters.on(
        new DedupEvent.Decided(KEY, done, "orders", Duration.ofSeconds(3), Duration.ofDays(1)));

    assertThat(timer("dedup.in.progress.wait").count()).isEqualTo(1);
    assertThat(timer("dedup.in.progress.wait").totalTime(TimeUnit.SECONDS)).isEqualTo(3);
  }

  @Test
  void lostLeasesIndeterminateSettlementsAndTroubleAreCounted() {
    meters.on(new DedupEvent.LeaseTaken(KEY, Holder.nobody()));
    meters.on(new DedupEvent.SettleIndeterminate(KEY, new IllegalStateException()));
    meters.on(new DedupEvent.StoreFailed("claim", new StoreUnavailable("down", null)));

    assertThat(registry.get("dedup.lease.lost").counter().count()).isEqualTo(1);
    assertThat(registry.get("dedup.settle.indeterminate").counter().count()).isEqualTo(1);
    assertThat(registry.get("dedup.errors").tag("type", "store_unavailable").counter().count())
        .isEqualTo(1);
  }

  @Test
  void whatNeverHappenedIsThereAsZero() {
    assertThat(registry.get("dedup.lease.lost").counter().count()).isZero();
    assertThat(registry.get("dedup.settle.indeterminate").counter().count()).isZero();
  }

  @Test
  void noTagHoldsAKeyAScopeOrAnOwner() {
    dedup.execute(delivery(1), context -> "receipt");
    dedup.execute(delivery(1), context -> "receipt");
    meters.on(new DedupEvent.LeaseTaken(KEY, new Holder(null, 7, "ann")));

    assertThat(registry.getMeters())
        .flatExtracting(meter -> meter.getId().getTags())
        .extracting(Tag::getValue)
        .noneMatch(value -> value.contains("ann") || value.contains("4711"));
  }

  @Test
  void moreSourcesThanAllowedShareOneMeter() {
    DedupMeters few = DedupMeters.of(registry, 2);
    List<String> labels = IntStream.range(0, 50).mapToObj(i -> "topic-" + i).toList();
    labels.forEach(label -> few.on(executed(label)));
    few.on(executed("topic-0"));
    few.on(executed(""));

    assertThat(registry.get("dedup.claims").tag("source", "topic-0").counter().count())
        .isEqualTo(2);
    assertThat(registry.get("dedup.claims").tag("source", "topic-1").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("dedup.claims").tag("source", "other").counter().count()).isEqualTo(48);
    assertThat(registry.get("dedup.claims").tag("source", "none").counter().count()).isEqualTo(1);
    assertThat(registry.get("dedup.claims").counters()).hasSize(4);
  }

  @Test
  void roomForNoSourceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DedupMeters.of(registry, 0))
        .withMessage("max-sources: was 0, must be at least 1");
  }

  @Test
  void everyMeterTellsWhatItMeasures() {
    dedup.execute(delivery(1), context -> "receipt");
    dedup.execute(delivery(1), context -> "receipt");

    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allSatisfy(id -> assertThat(id.getDescription()).isNotBlank())
        .allSatisfy(id -> assertThat(id.getName()).startsWith("dedup."));
    assertThat(timer("dedup.handler").totalTime(TimeUnit.SECONDS)).isCloseTo(0, within(60.0));
  }

  private static DedupEvent executed(String label) {
    return new DedupEvent.Decided(
        KEY, new Outcome.Executed<>("x", 1), label, Duration.ZERO, Duration.ZERO);
  }

  private static DedupEvent duplicateDone(Instant when, Duration ttl) {
    Outcome<String> outcome =
        new Outcome.Duplicate<>(null, DuplicateReason.REDELIVERY, Origin.none(), when);
    return new DedupEvent.Decided(KEY, outcome, "orders", Duration.ZERO, ttl);
  }

  private static Delivery delivery(long offset) {
    return Delivery.of(KEY)
        .withLabel("orders")
        .withOrigin(Origin.kafka("cluster", "topic", 0, offset, 1));
  }

  private double claims(String answer, String reason) {
    return registry
        .get("dedup.claims")
        .tags("source", "orders", "answer", answer, "reason", reason)
        .counter()
        .count();
  }

  private Timer timer(String name, String... tags) {
    return registry.get(name).tags(tags).timer();
  }
}
