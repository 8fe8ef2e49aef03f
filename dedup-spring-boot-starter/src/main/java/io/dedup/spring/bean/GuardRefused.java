// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A method cannot be guarded as its annotation says. Thrown when the application starts. */
public final class GuardRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String action;

  private GuardRefused(String message, String action, @Nullable Throwable cause) {
    super(message, cause);
    this.action = action;
  }

  /**
   * Refuses a method.
   *
   * @param what begins with what was wrong, says what it was and what it must be
   */
  static GuardRefused of(Method method, String what, String action, @Nullable Throwable cause) {
    return new GuardRefused("@Idempotent on " + text(method) + ": " + what, action, cause);
  }

  /** Returns the method as people write it. */
  static String text(Method method) {
    return method.getDeclaringClass().getName() + "." + signature(method);
  }

  static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  /** Returns what to change. */
  public String action() {
    return action;
  }
}
