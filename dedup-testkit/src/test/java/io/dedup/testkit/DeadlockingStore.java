// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreTime;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds the rows of a batch one after the other as they come, until all are held; a database would
 * see a deadlock.
 */
final class DeadlockingStore extends AlteredStore {

  private static final long PATIENCE_MILLIS = 200;

  private final ConcurrentMap<IdempotencyKey, ReentrantLock> rows = new ConcurrentHashMap<>();

  DeadlockingStore(StoreTime time) {
    super(time);
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    List<ReentrantLock> held = new ArrayList<>();
    try {
      for (ClaimRequest request : claims) {
        ReentrantLock row = rows.computeIfAbsent(request.key(), key -> new ReentrantLock());
        if (!row.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new StoreUnavailable("deadlock detected", null);
        }
        held.add(row);
        LockSupport.parkNanos(1000);
      }
      return sound.exchange(settlements, claims);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("interrupted", e);
    } finally {
      held.forEach(ReentrantLock::unlock);
    }
  }
}
