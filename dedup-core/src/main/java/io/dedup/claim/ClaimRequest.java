// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a key.
 *
 * @param key the key
 * @param claimId a new id; the same when the request is sent again because its answer was lost
 * @param owner names the process, for people; at most {@value #OWNER_MAX} characters
 * @param fingerprint of the message
 * @param origin of the message
 * @param lease how long nobody else may have the key; above 0
 * @param ttl how long the record is kept after the lease; not below the lease
 * @param tokenFloor the smallest fencing token to give: above the largest this process has seen, 0
 *     if none
 * @param notAfter the store's time after which this request is a late copy and must do nothing;
 *     null for no limit
 * @param requireIssued whether the key must have been handed out by {@link ClaimStore#issue}
 * @param force whether the key is to be claimed although it is done, once for each origin
 * @param slide whether a completed record is kept for another {@code ttl} from now
 * @param start when the handler will start
 * @param onLeaseExpired what to do about a predecessor that started and whose lease is over
 * @param onFailed what to do about a stored failure
 */
public record ClaimRequest(
    IdempotencyKey key,
    ClaimId claimId,
    String owner,
    Fingerprint fingerprint,
    Origin origin,
    Duration lease,
    Duration ttl,
    long tokenFloor,
    @Nullable Instant notAfter,
    boolean requireIssued,
    boolean force,
    boolean slide,
    ClaimStart start,
    OnLeaseExpired onLeaseExpired,
    OnFailed onFailed) {

  /** The longest ttl: a hundred years, which is no expiry, as far as databases can count. */
  public static final Duration TTL_MAX = Durations.MAX;

  /** The longest owner, in characters. */
  public static final int OWNER_MAX = 128;

  /**
   * Checks the request.
   *
   * @throws IllegalArgumentException if the lease is not above 0, the ttl is below the lease, the
   *     owner is too long or no well-formed text, or the floor is negative
   */
  public ClaimRequest {
    Objects.requireNonNull(key, "key");
    Durations.checkLease(lease, ttl);
    if (claimId.equals(ClaimId.none())) {
      throw new IllegalArgumentException("claimId: was none, must be a new id");
    }
    if (owner.length() > OWNER_MAX) {
      throw new IllegalArgumentException(
          "owner: was " + owner.length() + " characters, must be at most " + OWNER_MAX);
    }
    if (!StoredText.isStorable(owner)) {
      throw new IllegalArgumentException(
          "owner: has a NUL or an unpaired surrogate, must be text that every store can keep");
    }
    if (tokenFloor < 0) {
      throw new IllegalArgumentException(
          "tokenFloor: was " + tokenFloor + ", must not be negative");
    }
  }

  /** Returns a builder of a request with a new claim id and the default of everything else. */
  public static Builder builder(IdempotencyKey key, String owner, Duration lease, Duration ttl) {
    return new Builder(key, owner, lease, ttl);
  }

  /** Returns the claim that this request makes when it is answered with {@code token}. */
  public Claim claim(long token) {
    return new Claim(key, claimId, token);
  }

  /** Returns this request as it is sent again with a better estimate of the store's time. */
  public ClaimRequest withNotAfter(@Nullable Instant limit) {
    return new ClaimRequest(
        key,
        claimId,
        owner,
        fingerprint,
        origin,
        lease,
        ttl,
        tokenFloor,
        limit,
        requireIssued,
        force,
        slide,
        start,
        onLeaseExpired,
        onFailed);
  }

  /** Collects the parts of a request. */
  public static final class Builder {
    private final IdempotencyKey key;
    private final String owner;
    private final Duration lease;
    private final Duration ttl;
    private ClaimId claimId = ClaimId.next();
    private Fingerprint fingerprint = Fingerprint.none();
    private Origin origin = Origin.none();
    private long tokenFloor;
    private @Nullable Instant notAfter;
    private boolean requireIssued;
    private boolean force;
    private boolean slide;
    private ClaimStart start = ClaimStart.NOW;
    private OnLeaseExpired onLeaseExpired = OnLeaseExpired.RERUN;
    private OnFailed onFailed = OnFailed.RERUN;

    private Builder(IdempotencyKey key, String owner, Duration lease, Duration ttl) {
      this.key = key;
      this.owner = owner;
      this.lease = lease;
      this.ttl = ttl;
    }

    /** Sets the claim id; by default {@link ClaimId#next()}. */
    public Builder claimId(ClaimId id) {
      this.claimId = id;
      return this;
    }

    /** Sets the fingerprint; by default {@link Fingerprint#none()}. */
    public Builder fingerprint(Fingerprint value) {
      this.fingerprint = value;
      return this;
    }

    /** Sets the origin; by default {@link Origin#none()}. */
    public Builder origin(Origin value) {
      this.origin = value;
      return this;
    }

    /** Sets the smallest token to give; by default 0. */
    public Builder tokenFloor(long token) {
      this.tokenFloor = token;
      return this;
    }

    /** Sets the time after which the request does nothing; by default null, no limit. */
    public Builder notAfter(@Nullable Instant limit) {
      this.notAfter = limit;
      return this;
    }

    /** Sets whether the key must have been issued; by default false. */
    public Builder requireIssued(boolean value) {
      this.requireIssued = value;
      return this;
    }

    /** Sets whether a completed key is claimed all the same; by default false. */
    public Builder force(boolean value) {
      this.force = value;
      return this;
    }

    /** Sets whether a completed record is kept longer because it was met; by default false. */
    public Builder slide(boolean value) {
      this.slide = value;
      return this;
    }

    /** Sets when the handler starts; by default at once. */
    public Builder start(ClaimStart value) {
      this.start = value;
      return this;
    }

    /**
     * Sets the policy for a predecessor whose lease is over; by default {@link
     * OnLeaseExpired#RERUN}.
     */
    public Builder onLeaseExpired(OnLeaseExpired value) {
      this.onLeaseExpired = value;
      return this;
    }

    /** Sets the policy for a stored failure; by default {@link OnFailed#RERUN}. */
    public Builder onFailed(OnFailed value) {
      this.onFailed = value;
      return this;
    }

    /**
     * Returns the request.
     *
     * @throws IllegalArgumentException see {@link ClaimRequest}
     */
    public ClaimRequest build() {
      return new ClaimRequest(
          key,
          claimId,
          owner,
          fingerprint,
          origin,
          lease,
          ttl,
          tokenFloor,
          notAfter,
          requireIssued,
          force,
          slide,
          start,
          onLeaseExpired,
          onFailed);
    }
  }
}
