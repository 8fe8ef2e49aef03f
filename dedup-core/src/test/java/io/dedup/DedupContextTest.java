// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static io.dedup.World.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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

  @Test
  void fencingTokensGrowAlsoWhenTheStoreForgotTheKey() {
    Runs runs = Runs.answering("receipt");
    Deduplicator dedup = world.dedup();
    dedup.execute(KEY, runs);
    long before = runs.last().token();
    world.memory.forget(KEY);
    world.clock.advance(Duration.ofNanos(1_000));

    dedup.execute(KEY, runs);

    assertThat(runs.last().token()).isGreaterThan(before);
  }
}
