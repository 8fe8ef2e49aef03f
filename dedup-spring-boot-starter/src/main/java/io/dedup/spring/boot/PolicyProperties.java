// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.EffectProbe;
import io.dedup.OnConflict;
import io.dedup.Policy;
import io.dedup.claim.OnFailed;
import io.dedup.claim.OnLeaseExpired;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How keys are claimed and kept.
 *
 * @param lease how long a key is blocked at most after its process died; renewed while a handler
 *     runs
 * @param maxProcessing how long a handler may run before its lease is renewed no more; not below
 *     the lease
 * @param ttl how long a key is known as done, counted from its completion; not below the lease
 * @param failedTtl how long a failure is remembered
 * @param failedBackOff how long nobody may try again after a failure
 * @param inProgressWait how long to wait for another who has the key; 0 answers at once
 * @param onFailed what the next delivery of a failed key gets: it is run again, or the failure is
 *     reported
 * @param onLeaseExpired what happens to a key whose worker was lost: rerun, hold until an operator
 *     has looked, or probe, which asks the bean of type EffectProbe
 * @param onConflict what happens when a key arrives with another message
 * @param maxAttempts how many runs in a row may end without an answered settlement
 * @param slide whether a duplicate keeps its key for another ttl
 */
public record PolicyProperties(
    @DefaultValue("30s") Duration lease,
    @DefaultValue("10m") Duration maxProcessing,
    @DefaultValue("7d") Duration ttl,
    @DefaultValue("1d") Duration failedTtl,
    @DefaultValue("0s") Duration failedBackOff,
    @DefaultValue("0s") Duration inProgressWait,
    @DefaultValue("rerun") OnFailed onFailed,
    @DefaultValue("rerun") OnLeaseExpired onLeaseExpired,
    @DefaultValue("reject") OnConflict onConflict,
    @DefaultValue("10") int maxAttempts,
    @DefaultValue("false") boolean slide) {

  /**
   * Returns the policy.
   *
   * @param probe what {@link OnLeaseExpired#PROBE} asks, null if there is none
   * @throws ConfigurationRefused if the settings do not go together
   */
  Policy toPolicy(@Nullable EffectProbe probe) {
    EffectProbe asked = onLeaseExpired == OnLeaseExpired.PROBE ? probe : null;
    try {
      return new Policy(
          lease,
          maxProcessing,
          ttl,
          failedTtl,
          failedBackOff,
          inProgressWait,
          onFailed,
          onLeaseExpired,
          asked,
          onConflict,
          maxAttempts,
          slide,
          null);
    } catch (IllegalArgumentException e) {
      String hint =
          onLeaseExpired == OnLeaseExpired.PROBE && probe == null
              ? " Declare a bean of type io.dedup.EffectProbe for PROBE."
              : "";
      throw ConfigurationRefused.property("dedup.policy." + e.getMessage(), hint, e);
    }
  }
}
