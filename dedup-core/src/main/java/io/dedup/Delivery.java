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
 * @param label what meters count it under, such as a topic or a route: one of few, never a key or a
 *     person; empty for none, at most {@value #LABEL_MAX} characters
 */
public record Delivery(
    IdempotencyKey key,
    Fingerprint fingerprint,
    Origin origin,
    boolean issuedOnly,
    boolean forced,
    boolean suspect,
    String label) {

  /** The longest label, in characters: that of a topic's name and a bit. */
  public static final int LABEL_MAX = 255;

  /** Checks that all is there. */
  public Delivery {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(fingerprint, "fingerprint");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(label, "label");
    if (label.length() > LABEL_MAX) {
      throw new IllegalArgumentException(
          "label: was " + label.length() + " characters, must be at most " + LABEL_MAX);
    }
  }

  /** Makes a delivery without a label. */
  public Delivery(
      IdempotencyKey key,
      Fingerprint fingerprint,
      Origin origin,
      boolean issuedOnly,
      boolean forced,
      boolean suspect) {
    this(key, fingerprint, origin, issuedOnly, forced, suspect, "");
  }

  /** Returns a delivery of which only the key is known. */
  public static Delivery of(IdempotencyKey key) {
    return new Delivery(key, Fingerprint.none(), Origin.none(), false, false, false);
  }

  /** Returns this delivery with a fingerprint. */
  public Delivery withFingerprint(Fingerprint value) {
    return new Delivery(key, value, origin, issuedOnly, forced, suspect, label);
  }

  /** Returns this delivery with an origin. */
  public Delivery withOrigin(Origin value) {
    return new Delivery(key, fingerprint, value, issuedOnly, forced, suspect, label);
  }

  /** Returns this delivery, refused unless its key was handed out. */
  public Delivery asIssuedOnly() {
    return new Delivery(key, fingerprint, origin, true, forced, suspect, label);
  }

  /** Returns this delivery, run although its effect is done. */
  public Delivery asForced() {
    return new Delivery(key, fingerprint, origin, issuedOnly, true, suspect, label);
  }

  /** Returns this delivery, its start stored before it runs. */
  public Delivery asSuspect() {
    return new Delivery(key, fingerprint, origin, issuedOnly, forced, true, label);
  }

  /** Returns this delivery, counted under {@code value} in meters: one of few. */
  public Delivery withLabel(String value) {
    return new Delivery(key, fingerprint, origin, issuedOnly, forced, suspect, value);
  }
}
