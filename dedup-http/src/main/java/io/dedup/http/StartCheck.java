// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/** Looks at all handlers when the application starts, and refuses what cannot be kept. */
final class StartCheck {

  private final HttpOptions options;
  private final Operations operations;
  private final Class<? extends Advisor> advisor;
  private final Set<String> keyedWithoutHeader = new HashSet<>();
  private final Map<String, Operation> tokenOperations = new HashMap<>();
  private final Set<String> guarded = new TreeSet<>();

  StartCheck(HttpOptions options, Operations operations, Class<? extends Advisor> advisor) {
    this.advisor = advisor;
    this.options = options;
    this.operations = operations;
  }

  /**
   * Looks at a handler.
   *
   * @param patterns of its routes
   * @param methods of its mapping, none for all
   * @throws HandlerRefused naming the handler, what it was and what it must be
   */
  void check(
      Collection<String> patterns, Set<String> methods, HandlerMethod handler, BeanFactory beans) {
    for (String pattern : patterns) {
      try {
        Operation operation = operations.of(handler, PathContainer.parsePath(pattern));
        if (operation != null) {
          check(operation, new HashSet<>(methods), pattern, handler, beans);
        }
      } catch (IllegalArgumentException e) {
        throw new HandlerRefused(handler.getShortLogMessage(), e);
      }
    }
  }

  /** Returns the path patterns of operations whose keys come from expressions alone. */
  List<PathPattern> keyedWithoutHeader() {
    return Operations.patterns("path", keyedWithoutHeader);
  }

  /** Returns the names of the operations that are guarded. */
  Set<String> guarded() {
    return Collections.unmodifiableSet(guarded);
  }

  /** Returns the operations that take tokens, by name. */
  Map<String, Operation> tokenOperations() {
    return Map.copyOf(tokenOperations);
  }

  private void check(
      Operation operation,
      Set<String> methods,
      String pattern,
      HandlerMethod handler,
      BeanFactory beans) {
    if (methods.isEmpty()) {
      methods.addAll(options.methods());
    }
    if (Collections.disjoint(methods, options.methods())) {
      if (handler.hasMethodAnnotation(IdempotentRequest.class)) {
        throw new IllegalArgumentException(
            "methods: was " + methods + ", must have one of " + options.methods());
      }
      return;
    }
    if (StreamedTypes.streams(handler) && operation.replay() != Replay.NONE) {
      throw new IllegalArgumentException(
          "replay: was " + operation.replay() + ", must be NONE for a response that is streamed");
    }
    checkSecurity(operation, handler, beans);
    if (operation.needsNoHeader()) {
      keyedWithoutHeader.add(pattern);
    }
    methods.retainAll(options.methods());
    methods.forEach(m -> guarded.add(operation.nameFor(m, pattern)));
    if (operation.issuedToken()) {
      methods.forEach(m -> tokenOperations.put(operation.nameFor(m, pattern), operation));
    }
  }

  private void checkSecurity(Operation operation, HandlerMethod handler, BeanFactory beans) {
    Method method = handler.getMethod();
    Class<?> type = handler.getBeanType();
    if (operation.claimPoint() != ClaimPoint.PRE_HANDLE
        && operation.replay() != Replay.NONE
        && MethodSecurity.checksAfter(method, type)) {
      throw new IllegalArgumentException(
          "replay: was "
              + operation.replay()
              + ", must be NONE where what the handler returns is checked by method security, or"
              + " claim-point PRE_HANDLE where that need not be checked again");
    }
    if (Operations.claimsInAdvisor(operation, method, type) && !isAdvised(handler, beans)) {
      throw new IllegalArgumentException(
          "claim-point: was ADVISOR, must be PRE_HANDLE, or the bean must be proxied with the"
              + " advisor of IdempotentRequests: is it a bean with ROLE_INFRASTRUCTURE, and is"
              + " method security enabled?");
    }
  }

  private boolean isAdvised(HandlerMethod handler, BeanFactory beans) {
    Object bean =
        handler.getBean() instanceof String name ? beans.getBean(name) : handler.getBean();
    if (!AopUtils.isAopProxy(bean) || !(bean instanceof Advised advised)) {
      return false;
    }
    return List.of(advised.getAdvisors()).stream().anyMatch(advisor::isInstance);
  }
}
