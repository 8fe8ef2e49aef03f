// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.util.pattern.PathPattern;

/** Looks at all handlers when the application starts, and refuses what cannot be kept. */
final class StartCheck {

  private static final Set<Class<?>> WRAPPERS =
      Set.of(
          HttpEntity.class,
          Callable.class,
          WebAsyncTask.class,
          DeferredResult.class,
          CompletionStage.class);

  private final HttpOptions options;
  private final Operations operations;
  private final Set<String> keyedWithoutHeader = new HashSet<>();
  private final Map<String, Operation> tokenOperations = new HashMap<>();
  private final Set<String> guarded = new TreeSet<>();

  StartCheck(HttpOptions options, Operations operations) {
    this.options = options;
    this.operations = operations;
  }

  /**
   * Looks at the handlers of a mapping.
   *
   * @throws HandlerRefused naming the handler, what it was and what it must be
   */
  void check(RequestMappingHandlerMapping mapping, BeanFactory beans) {
    mapping.getHandlerMethods().forEach((info, handler) -> check(info, handler, beans));
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

  private void check(RequestMappingInfo info, HandlerMethod handler, BeanFactory beans) {
    for (String pattern : info.getPatternValues()) {
      try {
        Operation operation = operations.of(handler, PathContainer.parsePath(pattern));
        if (operation != null) {
          check(operation, info, pattern, handler, beans);
        }
      } catch (IllegalArgumentException e) {
        throw new HandlerRefused(handler.getShortLogMessage(), e);
      }
    }
  }

  private void check(
      Operation operation,
      RequestMappingInfo info,
      String pattern,
      HandlerMethod handler,
      BeanFactory beans) {
    Set<String> methods = new HashSet<>();
    info.getMethodsCondition().getMethods().forEach(method -> methods.add(method.name()));
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
    if (streams(handler) && operation.replay() != Replay.NONE) {
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

  private static void checkSecurity(Operation operation, HandlerMethod handler, BeanFactory beans) {
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

  private static boolean isAdvised(HandlerMethod handler, BeanFactory beans) {
    Object bean =
        handler.getBean() instanceof String name ? beans.getBean(name) : handler.getBean();
    if (!AopUtils.isAopProxy(bean) || !(bean instanceof Advised advised)) {
      return false;
    }
    return List.of(advised.getAdvisors()).stream().anyMatch(IdempotencyAdvisor.class::isInstance);
  }

  /** Returns whether a handler's response is sent while it is made. */
  static boolean streams(Object handler) {
    return handler instanceof HandlerMethod method
        && streams(ResolvableType.forMethodReturnType(method.getMethod()));
  }

  private static boolean streams(ResolvableType type) {
    Class<?> raw = type.resolve(Object.class);
    if (ResponseBodyEmitter.class.isAssignableFrom(raw)
        || StreamingResponseBody.class.isAssignableFrom(raw)) {
      return true;
    }
    ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw);
    if (adapter != null && adapter.isMultiValue()) {
      return true;
    }
    for (Class<?> wrapper : wrappers(adapter)) {
      if (wrapper.isAssignableFrom(raw) && type.as(wrapper).hasGenerics()) {
        return streams(type.as(wrapper).getGeneric(0));
      }
    }
    return false;
  }

  private static Collection<Class<?>> wrappers(@Nullable ReactiveAdapter adapter) {
    List<Class<?>> all = new ArrayList<>(WRAPPERS);
    if (adapter != null) {
      all.add(adapter.getReactiveType());
    }
    return all;
  }
}
