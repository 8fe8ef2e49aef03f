// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A member's way to the store that all members share. */
final class SimulatedStore implements ClaimStore {

  private final ClaimStore shared;
  private final SimulatedMember member;
  private final Schedule schedule;

  SimulatedStore(ClaimStore shared, SimulatedMember member, Schedule schedule) {
    this.shared = shared;
    this.member = member;
    this.schedule = schedule;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (member.isInBackground()) {
      return shared.exchange(settlements, claims);
    }
    member.sending(true);
    try {
      return sent(settlements, claims);
    } finally {
      member.sending(false);
    }
  }

  private Exchange sent(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    member.meanwhile("a command to the store");
    if (schedule.happens(Fault.LOST_COMMAND)) {
      member.tell("loses a command");
      throw new StoreUnavailable("lost", null);
    }
    Exchange exchange = shared.exchange(settlements, claims);
    claims.stream()
        .filter(claim -> claim.start() == ClaimStart.NOW)
        .forEach(claim -> member.claimedAsStarted(claim.key()));
    boolean lost = schedule.happens(Fault.LOST_ANSWER);
    member.meanwhile("an answer of the store");
    if (lost) {
      member.tell("loses an answer");
      throw new StoreUnavailable("answer lost", null);
    }
    return exchange;
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return shared.find(keys);
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int purgeExpired(int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StoreStats stats() {
    throw new UnsupportedOperationException();
  }
}
