// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.IdempotencyKey;

/**
 * A claim on a key, which is what settles it: there is no way to settle a bare key.
 *
 * @param key the key claimed
 * @param id who claimed it
 * @param token the fencing token that the claim was answered with
 */
public record Claim(IdempotencyKey key, ClaimId id, long token) {}
