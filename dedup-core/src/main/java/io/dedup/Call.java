// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStart;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a delivery.
 *
 * @param delivery the delivery
 * @param handler does the effect
 * @param codec keeps what it answers
 * @param policy how to claim and keep the key
 */
record Call<T>(Delivery delivery, Handler<T> handler, ResultCodec<T> codec, Policy policy) {

  /** Returns the claim to send; the handler starts as soon as it is acquired. */
  ClaimRequest claim(StoreCalls calls, String owner) {
    return calls.prepared(
        ClaimRequest.builder(delivery.key(), owner, policy.lease(), policy.ttl())
            .fingerprint(fingerprint())
            .origin(delivery.origin())
            .requireIssued(delivery.issuedOnly())
            .force(delivery.forced())
            .slide(policy.slide())
            .start(ClaimStart.NOW)
            .onLeaseExpired(policy.onLeaseExpired())
            .onFailed(policy.onFailed()));
  }

  /**
   * Returns what the effect answered, as duplicates get it.
   *
   * @throws StoreCorrupt if the codec cannot read what is stored; the effect is done, and its
   *     answer is not null
   */
  @Nullable T decoded(@Nullable StoredResult stored) {
    try {
      return codec.decode(stored);
    } catch (RuntimeException e) {
      throw new StoreCorrupt(
          "result: was " + stored + ", must be what the codec of the call reads", e);
    }
  }

  Fingerprint fingerprint() {
    return policy.onConflict() == OnConflict.IGNORE ? Fingerprint.none() : delivery.fingerprint();
  }
}
