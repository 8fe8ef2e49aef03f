// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreUnavailable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeduplicatorBuilderTest {

  private final World world = new World();

  @AfterEach
  void close() {
    world.close();
  }

  static Stream<Arguments> refusals() {
    MemoryTransactions transactions = new MemoryTransactions(new World());
    return Stream.of(
        refused(
            "command-timeout: was PT0S, must be above PT0S", b -> b.commandTimeout(Duration.ZERO)),
        refused(
            "command-timeout: was PT-1S, must be above PT0S",
            b -> b.commandTimeout(Duration.ofSeconds(-1))),
        refused(
            "command-timeout: was PT876001H, must be at most PT876000H",
            b -> b.commandTimeout(Duration.ofHours(876_001))),
        refused("owner: was blank, must name the process", b -> b.owner(" ")),
        refused("owner: was 129 characters, must be at most 128", b -> b.owner("x".repeat(129))),
        refused(
            "owner: has a NUL or an unpaired surrogate, must be text that every store can keep",
            b -> b.owner("node\0")),
        refused(
            "transactional: was without transactions, must have a port",
            b -> b.transactional(InMemoryClaimStore.create(), Transactions.none())),
        refused(
            "after-commit-of: was set beside transactional, must be one of the two",
            b ->
                b.afterCommitOf(transactions)
                    .transactional(transactions.inbox(), transactions)
                    .build()),
        refused(
            "on-lease-expired: was PROBE, must be RERUN or HOLD where effects are transactional",
            b ->
                b.policy(p -> p.probe(key -> new EffectProbe.Finding.NotDone()))
                    .transactional(transactions.inbox(), transactions)
                    .build()));
  }

  private static Arguments refused(String message, Consumer<Deduplicator.Builder> change) {
    return Arguments.of(message, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void whatCannotWorkIsRefusedAndNotRepaired(
      String message, Consumer<Deduplicator.Builder> change) {
    assertThatThrownBy(() -> change.accept(world.builder()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void theDefaultsWork() {
    try (Deduplicator dedup = Deduplicator.builder(world.memory).build()) {
      assertThat(dedup.policy()).isEqualTo(Policy.defaults());
      assertThat(dedup.commandTimeout()).isEqualTo(Duration.ofSeconds(10));
    }
  }

  @Test
  void twoDeduplicatorsAreTwoOwners() {
    InMemoryClaimStore store = InMemoryClaimStore.create();
    try (Deduplicator one = Deduplicator.builder(store).build();
        Deduplicator other = Deduplicator.builder(store).build()) {
      Outcome<Outcome<String>> outer =
          one.execute(World.KEY, context -> other.execute(World.KEY, Runs.answering("receipt")));

      assertThat(outer.orElseThrow())
          .isInstanceOfSatisfying(
              Outcome.InProgress.class,
              o ->
                  assertThat(o.owner())
                      .matches("pid-" + ProcessHandle.current().pid() + "-[0-9a-f]{8}")
                      .isEqualTo(store.find(World.KEY).orElseThrow().owner()));
    }
  }

  @Test
  void aPolicyIsTakenAsItIsOrChanged() {
    Policy policy = Policy.of(p -> p.ttl(Duration.ofHours(1)));

    Deduplicator dedup =
        world.opened(world.builder().policy(policy).policy(p -> p.maxAttempts(2)).build());

    assertThat(dedup.policy()).isEqualTo(policy.with(p -> p.maxAttempts(2)));
  }

  @Test
  void aCallMayFollowAPolicyOfItsOwn() {
    World.execute(world.dedup(), p -> p.ttl(Duration.ofMinutes(1)), Runs.answering("receipt"));

    assertThat(world.stored().expires())
        .isEqualTo(world.clock.storeNow().plus(Duration.ofMinutes(1)));
  }

  @Test
  void afterItIsClosedNothingRunsUnderALeaseThatNobodyRenews() {
    Deduplicator dedup = world.dedup();
    dedup.close();
    Runs runs = Runs.answering("receipt");

    assertThatThrownBy(() -> dedup.execute(World.KEY, runs)).isInstanceOf(StoreUnavailable.class);

    assertThat(runs.count()).isZero();
    assertThat(world.store.sent()).isEmpty();
    dedup.close();
  }
}
