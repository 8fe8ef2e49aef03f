// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/** When the effect of a method is done. */
enum ReturnKind {
  /** When it returns. */
  DIRECT,
  /** When the future that it returns completes. */
  FUTURE,
  /** When the Mono that it returns completes; it runs when somebody subscribes. */
  MONO;

  static final String MONO_CLASS = "reactor.core.publisher.Mono";

  /**
   * Returns the kind of a method.
   *
   * @throws IllegalArgumentException if it returns what has no single value, or none that can be
   *     waited for
   */
  static ReturnKind of(Method method) {
    Class<?> type = method.getReturnType();
    if (KotlinDetector.isSuspendingFunction(method)) {
      throw new IllegalArgumentException(
          "was a suspending function, must return a value or a Mono");
    }
    if (type == CompletableFuture.class || type == CompletionStage.class) {
      return FUTURE;
    }
    if (type.getName().equals(MONO_CLASS)) {
      return MONO;
    }
    boolean other =
        Future.class.isAssignableFrom(type)
            || CompletionStage.class.isAssignableFrom(type)
            || (type != Object.class
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    if (other) {
      throw new IllegalArgumentException(
          "was " + type.getName() + ", must be a value, a CompletableFuture or a Mono");
    }
    return DIRECT;
  }

  /** Returns the type of the value that is kept. */
  ResolvableType valueOf(Method method, Class<?> bean) {
    ResolvableType returned = ResolvableType.forMethodReturnType(method, bean);
    return this == DIRECT ? returned : returned.getGeneric(0);
  }

  /** Returns whether the effect is done after the method has returned. */
  boolean isAsynchronous() {
    return this != DIRECT;
  }
}
