// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.TTL;
import static io.dedup.World.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dedup.claim.Origin;
import io.dedup.key.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a delivery says of itself, and what that changes. */
class DeliveriesTest {

  private static final Fingerprint ONE = Fingerprint.raw(new byte[] {1});
  private static final Fingerprint OTHER = Fingerprint.raw(new byte[] {2});

  private final World world = new World();
  private final Deduplicator dedup = world.dedup();
  private final Runs runs = Runs.answering("receipt");

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aForcedDeliveryRunsAlthoughItsEffectIsDone() {
    dedup.execute(World.delivery().withOrigin(record(1)), Runs.answering("first"));
    long before = world.stored().token();

    Outcome<String> outcome =
        dedup.execute(World.delivery().withOrigin(record(2)).asForced(), runs);

    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt", world.stored().token()));
    assertThat(world.stored().token()).isGreaterThan(before);
  }

  @Test
  void aForcedDeliveryIsForcedOnceForItsOrigin() {
    dedup.execute(World.delivery().withOrigin(record(1)), runs);
    Delivery forced = World.delivery().withOrigin(record(2)).asForced();
    dedup.execute(forced, runs);

    assertThat(dedup.execute(forced, runs)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(dedup.execute(World.delivery().withOrigin(record(1)).asForced(), runs))
        .isInstanceOf(Outcome.Duplicate.class);
    assertThat(dedup.execute(World.delivery().withOrigin(record(3)).asForced(), runs))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(runs.count()).isEqualTo(3);
  }

  @Test
  void aForcedDeliveryWaitsForAnotherThatHasItsKey() {
    world.rivalStarts(KEY);

    assertThat(dedup.execute(World.delivery().withOrigin(record(2)).asForced(), runs))
        .isInstanceOf(Outcome.InProgress.class);
  }

  @Test
  void aKeyThatWasHandedOutRunsOnce() {
    assertThat(world.memory.issue(KEY, Duration.ofMinutes(5))).isTrue();

    assertThat(dedup.execute(World.delivery().asIssuedOnly(), runs))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(dedup.execute(World.delivery().asIssuedOnly(), runs))
        .isInstanceOf(Outcome.Duplicate.class);
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  void aKeyThatWasHandedOutTooLongAgoIsRefused() {
    world.memory.issue(KEY, Duration.ofMinutes(5));
    world.clock.advance(Duration.ofMinutes(5));

    assertThat(dedup.execute(World.delivery().asIssuedOnly(), runs))
        .isEqualTo(new Outcome.NotIssued<>());
  }

  @Test
  void anotherMessageWithTheKeyOfARunningOneIsAConflict() {
    Outcome<Outcome<String>> outer =
        dedup.execute(
            World.delivery().withFingerprint(ONE),
            context -> world.rival().execute(World.delivery().withFingerprint(OTHER), runs));

    assertThat(outer.orElseThrow()).isEqualTo(new Outcome.Conflict<>(ONE, OTHER));
  }

  @Test
  void afterAFailureAnotherMessageMayUseTheKey() {
    dedup.execute(World.delivery().withFingerprint(ONE), Runs.failing());

    assertThat(dedup.execute(World.delivery().withFingerprint(OTHER), runs))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(world.stored().fingerprint()).isEqualTo(OTHER);
  }

  @Test
  void whereConflictsAreIgnoredAMessageIsToldByItsKeyAlone() {
    Deduplicator lax = world.dedup(p -> p.onConflict(OnConflict.IGNORE));
    lax.execute(World.delivery().withFingerprint(ONE), runs);

    assertThat(lax.execute(World.delivery().withFingerprint(OTHER), runs))
        .isInstanceOf(Outcome.Duplicate.class);
    assertThat(world.stored().fingerprint()).isEqualTo(Fingerprint.none());
  }

  @Test
  void aDuplicateKeepsItsKeyForAnotherTtlWhereThePolicySaysSo() {
    Deduplicator sliding = world.dedup(p -> p.slide(true));
    sliding.execute(KEY, runs);
    world.clock.advance(Duration.ofDays(5));

    sliding.execute(KEY, runs);

    assertThat(world.stored().expires()).isEqualTo(world.clock.storeNow().plus(TTL));
  }

  @Test
  void aDuplicateDoesNotKeepItsKeyLongerOtherwise() {
    dedup.execute(KEY, runs);
    Instant expires = world.stored().expires();
    world.clock.advance(Duration.ofDays(5));

    dedup.execute(KEY, runs);

    assertThat(world.stored().expires()).isEqualTo(expires);
  }

  @ParameterizedTest
  @CsvSource({
    "record 1, record 1, REDELIVERY",
    "record 1, record 2, OTHER_RECORD",
    "http, http, HTTP_RETRY",
    "record 1, http, HTTP_RETRY",
    "http, record 1, UNKNOWN",
    "none, none, UNKNOWN",
    "call, call, UNKNOWN"
  })
  void theReasonOfADuplicateComesFromBothOrigins(
      String first, String second, DuplicateReason reason) {
    dedup.execute(World.delivery().withOrigin(origin(first)), runs);

    assertThat(dedup.execute(World.delivery().withOrigin(origin(second)), runs))
        .isInstanceOfSatisfying(
            Outcome.Duplicate.class,
            o -> {
              assertThat(o.reason()).isEqualTo(reason);
              assertThat(o.origin()).isEqualTo(origin(first));
            });
  }

  @Test
  void eachChangeToADeliveryKeepsTheOthers() {
    Delivery all =
        World.delivery()
            .withFingerprint(ONE)
            .withOrigin(record(1))
            .asIssuedOnly()
            .asForced()
            .asSuspect();

    assertThat(all).isEqualTo(new Delivery(KEY, ONE, record(1), true, true, true));
    assertThat(all.withOrigin(record(2)))
        .isEqualTo(new Delivery(KEY, ONE, record(2), true, true, true));
    assertThat(all.withFingerprint(OTHER))
        .isEqualTo(new Delivery(KEY, OTHER, record(1), true, true, true));
  }

  @Test
  void aLabelIsKeptByEveryOtherChange() {
    Delivery labelled =
        World.delivery()
            .withLabel("orders")
            .withFingerprint(ONE)
            .withOrigin(record(1))
            .asIssuedOnly()
            .asForced()
            .asSuspect();

    assertThat(labelled.label()).isEqualTo("orders");
    assertThat(World.delivery().label()).isEmpty();
  }

  @Test
  void aLabelAsLongAsAnIdIsRefused() {
    String longest = "x".repeat(Delivery.LABEL_MAX);

    assertThat(World.delivery().withLabel(longest).label()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> World.delivery().withLabel(longest + "x"))
        .withMessage("label: was 256 characters, must be at most 255");
  }

  private static Origin origin(String name) {
    return switch (name) {
      case "http" -> Origin.http("POST", "/payments");
      case "call" -> Origin.call("pay");
      case "none" -> Origin.none();
      default -> record(Long.parseLong(name.substring("record ".length())));
    };
  }
}
