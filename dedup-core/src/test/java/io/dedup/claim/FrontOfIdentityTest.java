// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which front belongs to a database that may be replaced by an older one at any time. */
class FrontOfIdentityTest {

  private static final Duration MAX_AGE = FrontOfIdentity.MAX_AGE;

  private final Map<String, ClaimStore> fronts = new HashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private String identity = "one";
  private Duration readingTakes = Duration.ZERO;
  private boolean down;
  private long nanos = Long.MAX_VALUE - 1_000_000_000L;

  private final FrontOfIdentity front =
      new FrontOfIdentity(
          this::read,
          id -> fronts.computeIfAbsent(id, x -> InMemoryClaimStore.create()),
          new ProcessClock() {
            @Override
            public Instant now() {
              throw new AssertionError("the wall clock may step");
            }

            @Override
            public long nanoTime() {
              return nanos;
            }

            @Override
            public void sleep(Duration duration) {
              throw new AssertionError("nobody sleeps");
            }
          });

  private String read() {
    reads.incrementAndGet();
    String read = identity;
    nanos += readingTakes.toNanos();
    if (down) {
      throw new StoreUnavailable("connection refused", null);
    }
    return read;
  }

  @Test
  void anIdentityIsTrustedForAWhileAndThenReadAgain() {
    ClaimStore one = front.get();
    nanos += MAX_AGE.toNanos();
    assertThat(front.get()).isSameAs(one);
    assertThat(reads).hasValue(1);

    nanos++;
    assertThat(front.get()).isSameAs(one);
    assertThat(reads).hasValue(2);
  }

  @Test
  void anotherIdentityHasAnotherFront() {
    ClaimStore one = front.get();
    identity = "two";
    nanos += MAX_AGE.toNanos() + 1;

    assertThat(front.get()).isSameAs(fronts.get("two")).isNotSameAs(one);
  }

  @Test
  void theWhileIsCountedFromBeforeTheIdentityWasRead() {
    readingTakes = MAX_AGE;
    front.get();
    nanos++;
    front.get();

    assertThat(reads).hasValue(2);
  }

  @Test
  void anIdentityThatCannotBeReadIsNoFrontAndNotAskedForByEverybody() {
    front.get();
    down = true;
    nanos += MAX_AGE.toNanos() + 1;
    assertThatThrownBy(front::get).isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(front::get).isInstanceOf(StoreUnavailable.class);
    assertThat(reads).hasValue(2);

    down = false;
    nanos += MAX_AGE.toNanos() + 1;
    assertThat(front.get()).isSameAs(fronts.get("one"));
  }
}
