// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.Origin;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.util.Objects;

/**
 * One arrival of a message, or of a request.
 *
 * @param key names the effect
 * @param fingerprint of the message
 * @param origin where it came from
 * @param issuedOnly whether the key must have been handed out before
 * @param forced whether it runs although the effect is done, once for its origin
 * @param suspect whether it may have ended a process before: its start is stored before it runs,
 *     whatever that costs
 */
public record Delivery(
    IdempotencyKey key,
    Fingerprint fingerprint,
    Origin origin,
    boolean issuedOnly,
    boolean forced,
    boolean suspect) {

  /** Checks that all is there. */
  public Delivery {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(fingerprint, "fingerprint");
    Objects.requireNonNull(origin, "origin");
  }

  /** Returns a delivery of which only the key is known. */
  public static Delivery of(IdempotencyKey key) {
    return new Delivery(key, Fingerprint.none(), Origin.none(), false, false, false);
  }

  /** Returns this delivery with a fingerprint. */
  public Delivery withFingerprint(Fingerprint value) {
    return new Delivery(key, value, origin, issuedOnly, forced, suspect);
  }

  /** Returns this delivery with an origin. */
  public Delivery withOrigin(Origin value) {
    return new Delivery(key, fingerprint, value, issuedOnly, forced, suspect);
  }

  /** Returns this delivery, refused unless its key was handed out. */
  public Delivery asIssuedOnly() {
    return new Delivery(key, fingerprint, origin, true, forced, suspect);
  }

  /** Returns this delivery, run although its effect is done. */
  public Delivery asForced() {
    return new Delivery(key, fingerprint, origin, issuedOnly, true, suspect);
  }

  /** Returns this delivery, its start stored before it runs. */
  public Delivery asSuspect() {
    return new Delivery(key, fingerprint, origin, issuedOnly, forced, true);
  }
}
