// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static io.dedup.World.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.FaultyStore.Sent;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the keeper of leases does when it is woken, without its thread. */
class LeaseRenewalTest {

  private static final IdempotencyKey SECOND = IdempotencyKey.of("payments", "4712");
  private static final IdempotencyKey THIRD = IdempotencyKey.of("payments", "4713");
  private static final Duration THIRD_OF_LEASE = LEASE.dividedBy(3);

  private final World world = new World();
  private final HandDrivenLeases leases =
      new HandDrivenLeases(world, Policy.defaults(), Transactions.none());

  @Test
  void aLeaseIsRenewedAtAThirdOfItAndNotBefore() {
    whileRunning(
        context -> {
          passAndRenew(THIRD_OF_LEASE.minusNanos(1));
          assertThat(renewals()).isEmpty();
          passAndRenew(Duration.ofNanos(1));
          assertThat(renewals()).hasSize(1);
          assertThat(world.stored().busyUntil()).isEqualTo(world.clock.storeNow().plus(LEASE));
        });
  }

  @Test
  void aHandlerMayRunForManyLeases() {
    whileRunning(
        context -> {
          for (int i = 0; i < 30; i++) {
            passAndRenew(THIRD_OF_LEASE);
            assertThat(context.leaseLost()).isFalse();
          }
        });
    assertThat(world.state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void allThatAreDueAreRenewedInOneBatch() {
    leases.execute(
        SECOND,
        second ->
            run(
                THIRD,
                () ->
                    whileRunning(
                        context -> {
                          passAndRenew(THIRD_OF_LEASE);
                          assertThat(renewals()).hasSize(1);
                          assertThat(renewals().get(0).settlements()).hasSize(3);
                        })));
  }

  @Test
  void whatIsNotDueIsNotSent() {
    leases.execute(
        SECOND,
        second -> {
          world.clock.advance(Duration.ofSeconds(5));
          whileRunning(
              context -> {
                passAndRenew(Duration.ofSeconds(5));
                assertThat(renewals()).hasSize(1);
                assertThat(renewals().get(0).settlements())
                    .extracting(r -> r.claim().key())
                    .containsExactly(SECOND);
              });
          return "receipt";
        });
  }

  @Test
  void aRenewalWithoutAnAnswerIsTriedAgainAndAgainBeforeTheLeaseEnds() {
    world.store.failAlways(Sent::renews, FaultyStore.unreachable());
    whileRunning(
        context -> {
          passAndRenew(THIRD_OF_LEASE);
          assertThat(renewals()).hasSize(1);
          leases.renewDue();
          assertThat(renewals()).hasSize(1);
          int tries = 1;
          while (!context.leaseLost()) {
            passAndRenew(LEASE.dividedBy(9));
            tries++;
            assertThat(renewals()).hasSize(tries);
          }
          assertThat(tries).isGreaterThanOrEqualTo(6);
          world.store.heal();
          passAndRenew(LEASE.dividedBy(9));
          assertThat(context.leaseLost()).isFalse();
        });
  }

  @Test
  void aHandlerThatHangsIsRenewedForMaxProcessingAndNoLonger() {
    HandDrivenLeases impatient =
        new HandDrivenLeases(
            world, Policy.of(p -> p.maxProcessing(Duration.ofSeconds(35))), Transactions.none());

    Outcome<String> outcome =
        impatient.execute(
            KEY,
            context -> {
              for (int i = 0; i < 5; i++) {
                world.clock.advance(THIRD_OF_LEASE);
                impatient.renewDue();
              }
              assertThat(renewals()).hasSize(3);
              assertThat(context.leaseLost()).isFalse();
              world.clock.advance(THIRD_OF_LEASE);
              assertThat(context.leaseLost()).isTrue();
              world.rivalStarts(KEY);
              return "too late";
            });

    assertThat(outcome).isInstanceOf(Outcome.Fenced.class);
  }

  @Test
  void aLeaseThatAnotherTookIsToldOnceAndNotRenewedAgain() {
    Outcome<String> outcome =
        leases.execute(
            KEY,
            context -> {
              world.clock.advance(LEASE);
              world.rivalStarts(KEY);
              assertThat(context.leaseLost()).isTrue();
              for (int i = 0; i < 3; i++) {
                passAndRenew(THIRD_OF_LEASE);
              }
              assertThat(context.leaseLost()).isTrue();
              return "too late";
            });

    assertThat(outcome).isInstanceOf(Outcome.Fenced.class);
    assertThat(renewals()).hasSize(1);
    assertThat(world.events.of(DedupEvent.LeaseTaken.class))
        .singleElement()
        .satisfies(e -> assertThat(e.current().owner()).isEqualTo("rival"));
  }

  @Test
  void aLeaseIsKnownToBeLostBeforeTheStoreSaysSo() {
    whileRunning(
        context -> {
          world.clock.advance(LEASE.minusNanos(1));
          assertThat(context.leaseLost()).isFalse();
          world.clock.advance(Duration.ofNanos(1));
          assertThat(context.leaseLost()).isTrue();
        });
  }

  @Test
  void thePointOfNoReturnGivesAWholeLease() {
    whileRunning(
        context -> {
          world.clock.advance(LEASE);
          assertThat(context.leaseLost()).isTrue();
          context.pointOfNoReturn();
          assertThat(context.leaseLost()).isFalse();
          Instant end = world.clock.storeNow().plus(LEASE);
          assertThat(world.stored().busyUntil()).isEqualTo(end);
        });
  }

  /**
   * The completion is stored, its answer is under way, and a renewal that was sent meanwhile is
   * refused.
   */
  @Test
  void aRenewalThatMeetsOurOwnCompletionIsNoLossAndNotSentAgain() {
    world.store.fail(
        Sent::completes,
        1,
        FaultyStore.then(
            () -> {
              for (int i = 0; i < 3; i++) {
                passAndRenew(THIRD_OF_LEASE);
              }
            }));

    assertThat(leases.execute(KEY, context -> "receipt")).isInstanceOf(Outcome.Executed.class);

    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).isEmpty();
    assertThat(renewals()).hasSize(1);
  }

  @Test
  void aRenewalThatMeetsOurOwnFailureIsNoLoss() {
    world.store.fail(
        s -> s.settles(Settlement.Fail.class),
        1,
        FaultyStore.then(() -> passAndRenew(THIRD_OF_LEASE)));

    assertThat(leases.execute(KEY, Runs.failing())).isInstanceOf(Outcome.Failed.class);

    assertThat(renewals()).hasSize(1);
    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).isEmpty();
  }

  @Test
  void aLeaseIsRenewedWhileItsCompletionIsTried() {
    world.store.fail(
        Sent::completes,
        4,
        (store, sent) -> {
          passAndRenew(THIRD_OF_LEASE);
          return FaultyStore.unreachable().exchange(store, sent);
        });

    assertThat(leases.execute(KEY, context -> "receipt")).isInstanceOf(Outcome.Executed.class);

    assertThat(renewals()).hasSize(4);
  }

  @Test
  void whatIsSettledIsRenewedNoMore() {
    leases.execute(KEY, context -> "receipt");
    leases.execute(SECOND, Runs.failing());

    passAndRenew(LEASE);

    assertThat(renewals()).isEmpty();
  }

  @Test
  void oneRecordThatCannotBeReadCostsItsNeighboursNothing() {
    world.store.failAlways(s -> s.renews() && s.names(SECOND), FaultyStore.corrupt());
    leases.execute(
        SECOND,
        second ->
            run(
                THIRD,
                () ->
                    whileRunning(
                        context -> {
                          passAndRenew(THIRD_OF_LEASE);
                          Instant renewed = world.clock.storeNow().plus(LEASE);
                          assertThat(world.stored(KEY).busyUntil()).isEqualTo(renewed);
                          assertThat(world.stored(THIRD).busyUntil()).isEqualTo(renewed);
                          assertThat(world.stored(SECOND).busyUntil()).isBefore(renewed);
                          leases.renewDue();
                          assertThat(renewals()).hasSize(4);
                        })));
  }

  static Stream<FaultyStore.Fault> nonsense() {
    return Stream.of(FaultyStore.throwing(new IllegalStateException()), (store, sent) -> null);
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseFromTheStoreIsTriedAgainLater(FaultyStore.Fault nonsense) {
    world.store.fail(Sent::renews, 1, nonsense);
    whileRunning(
        context -> {
          passAndRenew(THIRD_OF_LEASE);
          leases.renewDue();
          assertThat(renewals()).hasSize(1);
          passAndRenew(LEASE.dividedBy(9));
          assertThat(context.leaseLost()).isFalse();
        });
    assertThat(renewals()).hasSize(2);
  }

  /** The older claim's handler still runs when this very process takes its key over. */
  @Test
  void twoClaimsOfOneKeyAreRenewedInBatchesOfTheirOwn() {
    AtomicReference<Outcome<String>> newer = new AtomicReference<>();

    Outcome<String> older =
        leases.execute(
            KEY,
            stale -> {
              world.clock.advance(LEASE);
              newer.set(
                  leases.execute(
                      KEY,
                      context -> {
                        passAndRenew(THIRD_OF_LEASE);
                        assertThat(stale.leaseLost()).isTrue();
                        assertThat(context.leaseLost()).isFalse();
                        return "newer";
                      }));
              return "older";
            });

    assertThat(newer.get()).isInstanceOf(Outcome.Executed.class);
    assertThat(older).isInstanceOf(Outcome.Fenced.class);
    assertThat(renewals()).hasSize(2);
    assertThat(renewals()).allSatisfy(s -> assertThat(s.settlements()).hasSize(1));
    assertThat(world.events.of(DedupEvent.LeaseTaken.class)).hasSize(1);
  }

  @Test
  void aKeyThatTheStoreForgotIsALostLease() {
    Outcome<String> outcome =
        leases.execute(
            KEY,
            context -> {
              world.memory.forget(KEY);
              passAndRenew(THIRD_OF_LEASE);
              assertThat(context.leaseLost()).isTrue();
              return "receipt";
            });

    assertThat(outcome).isInstanceOf(Outcome.Fenced.class);
    assertThat(world.memory.find(KEY)).isEmpty();
  }

  private interface Watch {
    void during(DedupContext context);
  }

  private void whileRunning(Watch watch) {
    Outcome<String> outcome =
        leases.execute(
            KEY,
            context -> {
              watch.during(context);
              return "receipt";
            });
    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
  }

  private String run(IdempotencyKey key, Runnable inner) {
    leases.execute(
        key,
        context -> {
          inner.run();
          return "receipt";
        });
    return "receipt";
  }

  private void passAndRenew(Duration step) {
    world.clock.advance(step);
    leases.renewDue();
  }

  private List<Sent> renewals() {
    return world.store.sent().stream().filter(Sent::renews).toList();
  }
}
