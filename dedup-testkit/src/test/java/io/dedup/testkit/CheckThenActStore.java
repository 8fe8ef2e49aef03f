// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreTime;
import io.dedup.claim.Transition;
import io.dedup.claim.TransitionTable;
import io.dedup.key.IdempotencyKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the record, decides, and writes it, with time for others in between. Only what races need
 * is there.
 */
final class CheckThenActStore extends AlteredStore {

  private final StoreTime time;
  private final ConcurrentMap<IdempotencyKey, ClaimRecord> records = new ConcurrentHashMap<>();

  CheckThenActStore(StoreTime time) {
    super(time);
    this.time = time;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    TransitionTable rules = TransitionTable.rules();
    Instant now = Objects.requireNonNull(time.now());
    List<SettleAnswer> settled = new ArrayList<>();
    for (SettleRequest request : settlements) {
      IdempotencyKey key = request.claim().key();
      settled.add(write(key, rules.settle(records.get(key), request, now)));
    }
    List<ClaimAnswer> claimed = new ArrayList<>();
    for (ClaimRequest request : claims) {
      claimed.add(write(request.key(), rules.claim(records.get(request.key()), request, now)));
    }
    return new Exchange(now, settled, claimed);
  }

  private <A> A write(IdempotencyKey key, Transition<A> decided) {
    LockSupport.parkNanos(1000);
    if (decided.changes()) {
      records.put(key, decided.record());
    }
    return decided.answer();
  }
}
