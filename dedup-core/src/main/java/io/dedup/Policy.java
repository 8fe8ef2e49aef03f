// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Settlement;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How keys are claimed and kept. Immutable. No duration may be above {@link ClaimRequest#TTL_MAX}.
 *
 * @param lease how long a key is blocked at most after its process died; renewed while a handler
 *     runs
 * @param maxProcessing how long a handler may run before its lease is renewed no more
 * @param ttl how long a key is known as done, counted from its completion
 * @param failedTtl how long a failure is remembered
 * @param failedBackOff how long nobody may try again after a failure
 * @param inProgressWait how long to wait for another who has the key; 0 answers at once
 * @param onFailed what the next delivery of a failed key gets
 * @param onLeaseExpired what happens to a key whose worker was lost
 * @param probe finds out whether a lost worker's effect is done; needed by {@link
 *     OnLeaseExpired#PROBE} alone
 * @param onConflict what happens when a key arrives with another message
 * @param maxAttempts how many runs in a row may end without an answered settlement
 * @param slide whether a duplicate keeps its key for another {@code ttl}
 * @param remembered which failures are remembered; after others the key is given back as if nothing
 *     had been tried, null for all
 */
public record Policy(
    Duration lease,
    Duration maxProcessing,
    Duration ttl,
    Duration failedTtl,
    Duration failedBackOff,
    Duration inProgressWait,
    OnFailed onFailed,
    OnLeaseExpired onLeaseExpired,
    @Nullable EffectProbe probe,
    OnConflict onConflict,
    int maxAttempts,
    boolean slide,
    @Nullable Predicate<? super Throwable> remembered) {

  private static final Duration ONE_MILLI = Duration.ofMillis(1);

  private static final Policy DEFAULTS =
      new Policy(
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofDays(7),
          Duration.ofDays(1),
          Duration.ZERO,
          Duration.ZERO,
          OnFailed.RERUN,
          OnLeaseExpired.RERUN,
          null,
          OnConflict.REJECT,
          10,
          false,
          null);

  /**
   * Checks each part, and how they go together.
   *
   * @throws IllegalArgumentException naming the part, what it was and what it must be
   */
  public Policy {
    inRange("lease", lease, ONE_MILLI);
    inRange("ttl", ttl, ONE_MILLI);
    inRange("failed-ttl", failedTtl, ONE_MILLI);
    inRange("failed-back-off", failedBackOff, Duration.ZERO);
    inRange("in-progress-wait", inProgressWait, Duration.ZERO);
    inRange("max-processing", maxProcessing, ONE_MILLI);
    notBelow("ttl", ttl, "lease", lease);
    notBelow("failed-ttl", failedTtl, "failed-back-off", failedBackOff);
    notBelow("max-processing", maxProcessing, "lease", lease);
    if (maxAttempts < 1) {
      throw new IllegalArgumentException(
          "max-attempts: was " + maxAttempts + ", must be at least 1");
    }
    if (onLeaseExpired == OnLeaseExpired.PROBE && probe == null) {
      throw new IllegalArgumentException(
          "on-lease-expired: was PROBE without a probe, must have one, or be RERUN or HOLD");
    }
  }

  /**
   * Returns the defaults: a lease of 30 s, 10 min of processing, 7 days of ttl, 1 day for failures
   * without a back-off, no waiting, {@code RERUN} after failures and lost workers, {@code REJECT}
   * of conflicts, 10 attempts, no sliding.
   */
  public static Policy defaults() {
    return DEFAULTS;
  }

  /** Returns the defaults with changes. */
  public static Policy of(UnaryOperator<Builder> changes) {
    return DEFAULTS.with(changes);
  }

  /** Returns this policy with changes. */
  public Policy with(UnaryOperator<Builder> changes) {
    return changes.apply(new Builder(this)).build();
  }

  boolean remembers(Throwable failure) {
    return remembered == null || remembered.test(failure);
  }

  /** Returns what to store of a failure. */
  Settlement settlementOf(Throwable failure) {
    return remembers(failure)
        ? new Settlement.Fail(failure.toString(), failedTtl, failedBackOff)
        : new Settlement.Release();
  }

  private static void inRange(String name, Duration value, Duration minimum) {
    if (value.compareTo(minimum) < 0) {
      throw new IllegalArgumentException(name + ": was " + value + ", must be at least " + minimum);
    }
    if (value.compareTo(ClaimRequest.TTL_MAX) > 0) {
      throw new IllegalArgumentException(
          name + ": was " + value + ", must be at most " + ClaimRequest.TTL_MAX);
    }
  }

  private static void notBelow(String name, Duration value, String other, Duration minimum) {
    if (value.compareTo(minimum) < 0) {
      throw new IllegalArgumentException(
          name + ": was " + value + ", must not be below " + other + ", which is " + minimum);
    }
  }

  /** Collects changes to a policy. */
  public static final class Builder {
    private Duration lease;
    private Duration maxProcessing;
    private Duration ttl;
    private Duration failedTtl;
    private Duration failedBackOff;
    private Duration inProgressWait;
    private OnFailed onFailed;
    private OnLeaseExpired onLeaseExpired;
    private @Nullable EffectProbe probe;
    private OnConflict onConflict;
    private int maxAttempts;
    private boolean slide;
    private @Nullable Predicate<? super Throwable> remembered;

    private Builder(Policy base) {
      this.lease = base.lease;
      this.maxProcessing = base.maxProcessing;
      this.ttl = base.ttl;
      this.failedTtl = base.failedTtl;
      this.failedBackOff = base.failedBackOff;
      this.inProgressWait = base.inProgressWait;
      this.onFailed = base.onFailed;
      this.onLeaseExpired = base.onLeaseExpired;
      this.probe = base.probe;
      this.onConflict = base.onConflict;
      this.maxAttempts = base.maxAttempts;
      this.slide = base.slide;
      this.remembered = base.remembered;
    }

    /** Sets how long a key is blocked at most after its process died; at least 1 ms. */
    public Builder lease(Duration value) {
      this.lease = value;
      return this;
    }

    /** Sets how long a handler may run before its lease is renewed no more; not below the lease. */
    public Builder maxProcessing(Duration value) {
      this.maxProcessing = value;
      return this;
    }

    /** Sets how long a key is known as done; not below the lease. */
    public Builder ttl(Duration value) {
      this.ttl = value;
      return this;
    }

    /** Sets how long a failure is remembered; at least 1 ms. */
    public Builder failedTtl(Duration value) {
      this.failedTtl = value;
      return this;
    }

    /**
     * Sets how long nobody may try again after a failure; not above the time failures are
     * remembered.
     */
    public Builder failedBackOff(Duration value) {
      this.failedBackOff = value;
      return this;
    }

    /** Sets how long to wait for another who has the key; 0 answers at once. */
    public Builder inProgressWait(Duration value) {
      this.inProgressWait = value;
      return this;
    }

    /** Sets what the next delivery of a failed key gets. */
    public Builder onFailed(OnFailed value) {
      this.onFailed = value;
      return this;
    }

    /** Sets what happens to a key whose worker was lost. */
    public Builder onLeaseExpired(OnLeaseExpired value) {
      this.onLeaseExpired = value;
      return this;
    }

    /** Sets {@link OnLeaseExpired#PROBE} and the probe it asks. */
    public Builder probe(EffectProbe value) {
      this.onLeaseExpired = OnLeaseExpired.PROBE;
      this.probe = value;
      return this;
    }

    /** Sets what happens when a key arrives with another message. */
    public Builder onConflict(OnConflict value) {
      this.onConflict = value;
      return this;
    }

    /** Sets how many runs in a row may end without an answered settlement; at least 1. */
    public Builder maxAttempts(int value) {
      this.maxAttempts = value;
      return this;
    }

    /** Sets whether a duplicate keeps its key for another ttl. */
    public Builder slide(boolean value) {
      this.slide = value;
      return this;
    }

    /**
     * Sets which failures are remembered: what {@code onFailed} and {@code failedBackOff} say holds
     * for them alone. After others the key is given back as if nothing had been tried.
     */
    public Builder remembered(Predicate<? super Throwable> which) {
      this.remembered = which;
      return this;
    }

    Policy build() {
      return new Policy(
          lease,
          maxProcessing,
          ttl,
          failedTtl,
          failedBackOff,
          inProgressWait,
          onFailed,
          onLeaseExpired,
          probe,
          onConflict,
          maxAttempts,
          slide,
          remembered);
    }
  }
}
