// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.DedupContext;
import io.dedup.Delivery;
import io.dedup.OnMissingKey;
import io.dedup.key.ExtractedId;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** Stands in front of guarded methods. Thread-safe. */
final class IdempotentInterceptor implements MethodInterceptor {

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentInterceptor.class);

  private final GuardedMethods methods;
  private final MethodGuards guards;
  private final AsyncCalls asyncCalls;

  IdempotentInterceptor(GuardedMethods methods, MethodGuards guards, AsyncCalls asyncCalls) {
    this.methods = methods;
    this.guards = guards;
    this.asyncCalls = asyncCalls;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Method called = invocation.getMethod();
    Class<?> type = target == null ? called.getDeclaringClass() : AopUtils.getTargetClass(target);
    GuardedMethod method = methods.find(called, type);
    if (method == null) {
      return invocation.proceed();
    }
    MethodGuard guard = guards.of(method);
    Delivery delivery = delivery(guard, invocation.getArguments());
    if (delivery == null) {
      return invocation.proceed();
    }
    Run run = new Run((ProxyMethodInvocation) invocation, method.contextAt());
    return switch (method.kind()) {
      case DIRECT -> DirectCalls.call(guard, delivery, run);
      case FUTURE -> asyncCalls.future(guard, delivery, run);
      case MONO -> MonoCalls.call(asyncCalls, guard, delivery, run);
    };
  }

  /** Returns null if the call is to run unguarded. */
  private static @Nullable Delivery delivery(MethodGuard guard, @Nullable Object[] arguments) {
    ExtractedId id = guard.method().key().read(arguments);
    if (id instanceof ExtractedId.Found found) {
      try {
        return guard.delivery(found.id());
      } catch (IllegalArgumentException e) {
        return refused(guard.method(), String.valueOf(e.getMessage()));
      }
    }
    return refused(
        guard.method(),
        id instanceof ExtractedId.Unreadable unreadable
            ? unreadable.why()
            : "was null or blank, must be there");
  }

  private static @Nullable Delivery refused(GuardedMethod method, String why) {
    String what = GuardRefused.text(method.method()) + " has no key: " + method.key() + " " + why;
    if (method.onMissingKey() == OnMissingKey.FAIL) {
      throw new KeyRefused(what);
    }
    LOG.warn("runs unguarded: {}", what);
    return null;
  }

  /**
   * What the call is to run, once or, after a conflict of transactions, again.
   *
   * @param invocation as it came to us; never proceeded itself, since that works once
   * @param contextAt the place of the parameter that is given the context, -1 for none
   */
  record Run(ProxyMethodInvocation invocation, int contextAt) {

    @Nullable Object proceed(DedupContext context) throws Exception {
      @Nullable Object[] arguments = invocation.getArguments().clone();
      if (contextAt >= 0) {
        arguments[contextAt] = context;
      }
      try {
        return invocation.invocableClone(arguments).proceed();
      } catch (Exception | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new UndeclaredThrowableException(e);
      }
    }
  }
}
