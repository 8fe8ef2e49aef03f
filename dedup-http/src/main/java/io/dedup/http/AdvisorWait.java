// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request whose key is claimed by the advisor: left by the interceptor, taken once by the call of
 * its handler.
 *
 * @param handler the handler's method
 * @param waiting the request
 */
record AdvisorWait(Method handler, Admission.Waiting waiting) {

  private static final String ATTRIBUTE = AdvisorWait.class.getName();

  static void leave(HttpServletRequest request, Method handler, Admission.Waiting waiting) {
    request.setAttribute(ATTRIBUTE, new AdvisorWait(handler, waiting));
  }

  /** Returns whether a key is still to be claimed. */
  static boolean asks(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof AdvisorWait wait
        && wait.waiting().prepared() instanceof Prepared.Ask;
  }

  /** Returns what waits for a call of {@code method}, null if nothing does. */
  static Admission.@Nullable Waiting take(HttpServletRequest request, Method method) {
    if (!(request.getAttribute(ATTRIBUTE) instanceof AdvisorWait wait) || !wait.isFor(method)) {
      return null;
    }
    request.removeAttribute(ATTRIBUTE);
    return wait.waiting();
  }

  /** A proxy may know the method by an interface. */
  private boolean isFor(Method method) {
    return handler.getName().equals(method.getName())
        && Arrays.equals(handler.getParameterTypes(), method.getParameterTypes());
  }
}
