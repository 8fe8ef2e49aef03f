// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/**
 * The thread that renews leases, by the JVM's clock. None of these tests cares how fast the machine
 * is.
 */
class LeaseKeeperThreadTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final ConditionFactory EVENTUALLY = await().atMost(Duration.ofSeconds(50));

  private final InMemoryClaimStore memory = InMemoryClaimStore.create();
  private final FaultyStore store = new FaultyStore(memory);
  private final Policy shortLease = Policy.of(p -> p.lease(SHORT));

  @Test
  void aRunningHandlersLeaseIsRenewedOverAndOver() {
    try (Deduplicator dedup = Deduplicator.builder(store).policy(shortLease).build()) {
      Outcome<String> outcome =
          dedup.execute(
              World.KEY,
              context -> {
                awaitRenewals(World.KEY, 4);
                return "receipt";
              });
      assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    }
  }

  /**
   * Without a signal the thread would sleep until the long lease is due, and the short one would be
   * lost.
   */
  @Test
  void aShortLeaseDoesNotWaitForALongOne() {
    IdempotencyKey other = IdempotencyKey.of("payments", "long");
    Policy longLease =
        Policy.of(p -> p.lease(Duration.ofHours(1)).maxProcessing(Duration.ofHours(2)));
    try (Deduplicator dedup = Deduplicator.builder(store).policy(longLease).build()) {
      Outcome<Outcome<String>> outcome =
          dedup.execute(
              other,
              outer -> {
                EVENTUALLY.until(() -> keeper().getState() == Thread.State.TIMED_WAITING);
                return dedup.execute(
                    Delivery.of(World.KEY),
                    context -> {
                      awaitRenewals(World.KEY, 2);
                      return "receipt";
                    },
                    ResultCodec.none(),
                    shortLease);
              });
      assertThat(outcome.orElseThrow()).isInstanceOf(Outcome.Executed.class);
    }
  }

  @Test
  void neitherAnInterruptNorAnErrorEndsIt() {
    store.fail(FaultyStore.Sent::renews, 1, FaultyStore.throwing(new LinkageError("driver")));
    try (Deduplicator dedup = Deduplicator.builder(store).policy(shortLease).build()) {
      Outcome<String> outcome =
          dedup.execute(
              World.KEY,
              context -> {
                awaitRenewals(World.KEY, 1);
                keeper().interrupt();
                awaitRenewals(World.KEY, 2);
                assertThat(keeper().isAlive()).isTrue();
                return "receipt";
              });
      assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    }
  }

  @Test
  void closingEndsIt() {
    Set<Thread> before = keepers();
    Deduplicator dedup = Deduplicator.builder(store).build();
    Set<Thread> ours = keepers();
    ours.removeAll(before);
    assertThat(ours).hasSize(1);
    assertThat(ours).allMatch(Thread::isDaemon);

    dedup.close();

    EVENTUALLY.until(() -> ours.stream().noneMatch(Thread::isAlive));
  }

  private void awaitRenewals(IdempotencyKey key, int times) {
    for (int i = 0; i < times; i++) {
      Instant before = memory.find(key).orElseThrow().busyUntil();
      EVENTUALLY.until(() -> memory.find(key).orElseThrow().busyUntil().isAfter(before));
    }
  }

  /**
   * Returns the one thread of this name; those of deduplicators that earlier tests closed may still
   * be ending.
   */
  private static Thread keeper() {
    EVENTUALLY.until(() -> keepers().size() == 1);
    return keepers().iterator().next();
  }

  private static Set<Thread> keepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals("dedup-leases"))
        .collect(Collectors.toCollection(HashSet::new));
  }
}
