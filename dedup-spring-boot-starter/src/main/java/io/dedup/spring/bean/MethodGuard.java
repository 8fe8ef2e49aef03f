// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Deduplicator;
import io.dedup.Delivery;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import io.dedup.claim.Origin;
import io.dedup.key.IdempotencyKey;

/**
 * A guarded method with the parts that guard it. Thread-safe.
 *
 * @param method the method
 * @param deduplicator claims and settles
 * @param policy of its calls
 * @param codec keeps its answers
 */
record MethodGuard(
    GuardedMethod method, Deduplicator deduplicator, Policy policy, ResultCodec<Object> codec) {

  /**
   * Returns the call with an id.
   *
   * @throws IllegalArgumentException if the id is none that a key can have
   */
  Delivery delivery(String id) {
    return Delivery.of(IdempotencyKey.of(method.scope(), id))
        .withOrigin(Origin.call(method.scope()))
        .withLabel(method.label());
  }
}
