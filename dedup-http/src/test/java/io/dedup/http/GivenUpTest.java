// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Ask;
import io.dedup.Claimed;
import io.dedup.Claims;
import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Held;
import io.dedup.Policy;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims whose requests timed out. */
class GivenUpTest {

  private final Hand clock = new Hand();
  private final Deduplicator dedup =
      Deduplicator.builder(InMemoryClaimStore.create(ManualTime.atBeginning(), 100)).build();
  private final Claims claims = dedup.claims();
  private final GivenUp givenUp = new GivenUp(clock);

  @AfterEach
  void close() {
    dedup.close();
  }

  /** Moved by hand. */
  private static final class Hand implements ProcessClock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public void sleep(Duration time) {
      nanos += time.toNanos();
    }
  }

  private static Operation operation(OnLeaseExpired lost) {
    HttpOptions options = HttpOptions.of(o -> o.policy(p -> p.onLeaseExpired(lost)));
    return new OperationReader(options, Map.of(), null).unannotated();
  }

  private Held held(String id) {
    Ask ask = new Ask(Delivery.of(IdempotencyKey.of("payments", id)), Policy.defaults());
    Held held = ((Claimed.Acquired) claims.claim(List.of(ask)).get(0)).held();
    assertThat(held.start()).isNull();
    return held;
  }

  @Test
  void where_nobody_runs_a_lost_key_again_its_lease_ends_at_once() {
    Held held = held("1");

    givenUp.add(held, operation(OnLeaseExpired.HOLD));

    assertThat(held.isOpen()).isFalse();
    assertThat(held.isDone()).isFalse();
  }

  @Test
  void where_it_may_run_again_the_lease_goes_on_for_as_long_as_a_handler_may_take() {
    Operation rerun = operation(OnLeaseExpired.RERUN);
    Held held = held("1");
    givenUp.add(held, rerun);

    clock.sleep(rerun.policy().maxProcessing().minusSeconds(1));
    givenUp.add(held("2"), rerun);
    assertThat(held.isOpen()).isTrue();

    clock.sleep(Duration.ofSeconds(1));
    givenUp.add(held("3"), rerun);
    assertThat(held.isOpen()).isFalse();
    assertThat(held.isDone()).isFalse();
  }
}
