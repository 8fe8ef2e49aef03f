// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DedupContextTest {

  private final World world = new World();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aHandlerSeesWhatItsClaimIs() {
    Outcome<String> outcome =
        world
            .dedup()
            .execute(
                KEY,
                context -> {
                  assertThat(context.key()).isEqualTo(KEY);
                  assertThat(context.fencingToken()).isEqualTo(world.stored().token());
                  assertThat(context.attempt()).isEqualTo(1);
                  assertThat(context.takenOver()).isFalse();
                  assertThat(context.leaseLost()).isFalse();
                  return "receipt";
                });
    assertThat(outcome.isDone()).isTrue();
  }

  @Test
  void fencingTokensGrowWithEachRunOfAKey() {
    Runs failing = Runs.failing();
    Deduplicator dedup = world.dedup();
    long before = 0;
    for (int i = 0; i < 10; i++) {
      dedup.execute(KEY, failing);
      assertThat(failing.last().token()).isGreaterThan(before);
      before = failing.last().token();
    }
  }

  /**
   * As a replica may that became the primary: its clock is behind, and it never heard of the key.
   */
  @Test
  void fencingTokensGrowAlsoWhenTheStoreForgotTheKeyAndItsClockSteppedBack() {
    InMemoryClaimStore primary = InMemoryClaimStore.create(world.clock.storeTime(), 100);
    Instant behind = world.clock.storeNow().minusSeconds(5);
    InMemoryClaimStore replica = InMemoryClaimStore.create(() -> behind, 100);
    AtomicReference<ClaimStore> current = new AtomicReference<>(primary);
    FaultyStore store =
        new FaultyStore(primary)
            .failAlways(
                sent -> true,
                (ignored, sent) -> current.get().exchange(sent.settlements(), sent.claims()));
    Deduplicator dedup = world.opened(Deduplicator.builder(store).clock(world.clock).build());
    Runs runs = Runs.answering("receipt");
    dedup.execute(KEY, runs);
    long before = runs.last().token();
    current.set(replica);

    dedup.execute(KEY, runs);

    assertThat(runs.count()).isEqualTo(2);
    assertThat(runs.last().token()).isGreaterThan(before);
  }
}
