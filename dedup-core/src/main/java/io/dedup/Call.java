// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a delivery.
 *
 * @param ask the delivery, and how to claim and keep its key
 * @param handler does the effect
 * @param codec keeps what it answers
 */
record Call<T>(Ask ask, Handler<T> handler, ResultCodec<T> codec) {

  Call(Delivery delivery, Handler<T> handler, ResultCodec<T> codec, Policy policy) {
    this(new Ask(delivery, policy), handler, codec);
  }

  Delivery delivery() {
    return ask.delivery();
  }

  Policy policy() {
    return ask.policy();
  }

  /** Returns the claim to send; the handler starts as soon as it is acquired. */
  ClaimRequest claim(StoreCalls calls, String owner) {
    return ask.claimAndStart(calls, owner);
  }

  /**
   * Returns what the effect answered, as duplicates get it.
   *
   * @throws StoreCorrupt if the codec cannot read what is stored; the effect is done, and its
   *     answer is not null
   */
  @Nullable T decoded(@Nullable StoredResult stored) {
    return Answers.decoded(codec, stored);
  }

  /** Returns the outcome with its value as duplicates get it; of one that no handler led to. */
  Outcome<T> decoded(Outcome<StoredResult> outcome) {
    return outcome.fold(new DecodedValue<>(this));
  }

  Fingerprint fingerprint() {
    return ask.fingerprint();
  }
}
