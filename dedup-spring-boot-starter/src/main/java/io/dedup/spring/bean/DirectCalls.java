// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Delivery;
import io.dedup.EffectNotDone;
import io.dedup.Outcome;
import org.jspecify.annotations.Nullable;

/** Calls whose effect is done when they return. */
final class DirectCalls {

  private DirectCalls() {}

  /**
   * Calls the method unless its effect is done.
   *
   * @return what it answered, now or before
   * @throws EffectNotDone if the effect is not known to be done
   * @throws Throwable what the method threw
   */
  static @Nullable Object call(MethodGuard guard, Delivery delivery, IdempotentInterceptor.Run run)
      throws Throwable {
    Outcome<Object> outcome =
        guard.deduplicator().executeJoined(delivery, run::proceed, guard.codec(), guard.policy());
    if (outcome instanceof Outcome.Failed<Object> failed) {
      throw failed.cause();
    }
    return outcome.orElseThrow();
  }
}
