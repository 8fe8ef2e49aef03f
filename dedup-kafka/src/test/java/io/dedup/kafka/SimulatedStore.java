// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreUnavailable;
import io.dedup.testkit.ForwardingClaimStore;
import java.util.List;

/** A member's way to the store that all members share. */
final class SimulatedStore extends ForwardingClaimStore {

  private final SimulatedMember member;
  private final Schedule schedule;

  SimulatedStore(ClaimStore shared, SimulatedMember member, Schedule schedule) {
    super(shared);
    this.member = member;
    this.schedule = schedule;
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    if (member.isInBackground()) {
      return super.exchange(settlements, claims);
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
    Exchange exchange = super.exchange(settlements, claims);
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
}
