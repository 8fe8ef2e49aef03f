// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.key.Fingerprint;
import java.util.Objects;

/**
 * Asks for the key of a delivery.
 *
 * @param delivery the delivery
 * @param policy how to claim and keep the key
 */
public record Ask(Delivery delivery, Policy policy) {

  /** Checks that both are there. */
  public Ask {
    Objects.requireNonNull(delivery, "delivery");
    Objects.requireNonNull(policy, "policy");
  }

  /** Returns the claim to send where the handler starts as soon as it is acquired. */
  ClaimRequest claimAndStart(StoreCalls calls, String owner) {
    return request(calls, owner, ClaimStart.NOW);
  }

  /**
   * Returns the claim to send where the handler may start later, or not at all. One that may have
   * ended a process is claimed as started, whatever that costs.
   */
  ClaimRequest claimAhead(StoreCalls calls, String owner) {
    if (delivery.suspect()) {
      return request(calls, owner, ClaimStart.NOW);
    }
    boolean asksForStart = policy.onLeaseExpired() != OnLeaseExpired.RERUN;
    return request(calls, owner, asksForStart ? ClaimStart.RECORDED_LATER : ClaimStart.UNRECORDED);
  }

  /**
   * Returns the claim to send where claim, handler and completion are one transaction: should it be
   * seen outside of one, because it was made beforehand, nothing is in doubt after it.
   */
  ClaimRequest claimInTransaction(StoreCalls calls, String owner) {
    return request(calls, owner, ClaimStart.IN_TRANSACTION);
  }

  private ClaimRequest request(StoreCalls calls, String owner, ClaimStart start) {
    return calls.prepared(
        ClaimRequest.builder(delivery.key(), owner, policy.lease(), policy.ttl())
            .fingerprint(fingerprint())
            .origin(delivery.origin())
            .requireIssued(delivery.issuedOnly())
            .force(delivery.forced())
            .slide(policy.slide())
            .start(start)
            .onLeaseExpired(policy.onLeaseExpired())
            .onFailed(policy.onFailed()));
  }

  Fingerprint fingerprint() {
    return policy.onConflict() == OnConflict.IGNORE ? Fingerprint.none() : delivery.fingerprint();
  }
}
