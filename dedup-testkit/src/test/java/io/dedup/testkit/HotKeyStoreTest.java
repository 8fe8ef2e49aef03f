// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.HotKeyStore;
import io.dedup.claim.HotKeys;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A store with a memory of hot keys in front of it answers, to its own process, as a store does.
 */
class HotKeyStoreTest extends ClaimStoreContract {

  @Override
  protected ClaimStore createStore(StoreTime time) {
    HotKeys keys = HotKeys.builder().maxAge(HotKeys.MAX_AGE_MAX).clock(new ClockOf(time)).build();
    return HotKeyStore.of(
        InMemoryClaimStore.create(time, InMemoryClaimStore.DEFAULT_MAX_RECORDS), keys);
  }

  @Override
  protected ClaimStore anotherProcess(ClaimStore store, StoreTime time) {
    return store;
  }

  /** The process's clock goes as the store's does. */
  private record ClockOf(StoreTime time) implements ProcessClock {
    @Override
    public Instant now() {
      Instant now = time.now();
      return now == null ? Instant.now() : now;
    }

    @Override
    public long nanoTime() {
      return ChronoUnit.NANOS.between(Instant.EPOCH, now());
    }

    @Override
    public void sleep(Duration duration) {
      throw new UnsupportedOperationException("nobody waits here");
    }
  }
}
