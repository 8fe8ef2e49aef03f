// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.DedupContext;
import io.dedup.OnMissingKey;
import io.dedup.Policy;
import io.dedup.claim.OnFailed;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.ResolvableType;

/**
 * A method and what its annotation says. Immutable.
 *
 * @param method of the bean's class
 * @param annotation what is said, with placeholders resolved by {@code texts}
 * @param texts resolves placeholders
 * @param key makes ids of arguments
 * @param scope whose keys they are
 * @param label what meters count it under
 * @param mode how effect and completion go together, unless a deduplicator is named
 * @param onMissingKey what happens without a key
 * @param kind when the effect is done
 * @param value the type of the answer
 * @param contextAt the place of the parameter that is given the context, -1 for none
 */
record GuardedMethod(
    Method method,
    Idempotent annotation,
    Texts texts,
    KeyExpression key,
    String scope,
    String label,
    CallMode mode,
    OnMissingKey onMissingKey,
    ReturnKind kind,
    ResolvableType value,
    int contextAt) {

  /** Resolves placeholders. */
  @FunctionalInterface
  interface Texts {
    String resolve(String text);
  }

  static int contextAt(Method method) {
    return Arrays.asList(method.getParameterTypes()).indexOf(DedupContext.class);
  }

  /**
   * Returns the policy of its calls.
   *
   * @param base what is left unsaid
   * @throws GuardRefused if the parts do not go together
   */
  Policy policy(Policy base) {
    try {
      return base.with(this::said);
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()), "Change what the annotation says.", e);
    }
  }

  private Policy.Builder said(Policy.Builder policy) {
    duration("lease", annotation.lease(), policy::lease);
    duration("max-processing", annotation.maxProcessing(), policy::maxProcessing);
    duration("ttl", annotation.ttl(), policy::ttl);
    duration("failed-ttl", annotation.failedTtl(), policy::failedTtl);
    duration("in-progress-wait", annotation.inProgressWait(), policy::inProgressWait);
    if (annotation.onLeaseExpired().length > 0) {
      policy.onLeaseExpired(annotation.onLeaseExpired()[0]);
    }
    Class<?>[] recorded = annotation.recordOn();
    Class<?>[] released = annotation.releaseOn();
    if (recorded.length > 0) {
      policy.onFailed(OnFailed.REPORT).remembered(e -> is(e, recorded) && !is(e, released));
    } else if (released.length > 0) {
      policy.remembered(e -> !is(e, released));
    }
    return policy;
  }

  private static boolean is(Throwable failure, Class<?>[] classes) {
    return Arrays.stream(classes).anyMatch(type -> type.isInstance(failure));
  }

  private void duration(String name, String written, Consumer<Duration> setter) {
    String text = texts.resolve(written);
    if (text.isEmpty()) {
      return;
    }
    try {
      setter.accept(DurationStyle.detectAndParse(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + ": was '" + text + "', must be a duration such as 30s or 24h", e);
    }
  }

  GuardRefused refused(String what, String action, @Nullable Exception cause) {
    return GuardRefused.of(method, what, action, cause);
  }
}
