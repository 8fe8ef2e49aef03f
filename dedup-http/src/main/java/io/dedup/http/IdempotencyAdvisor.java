// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Claims keys around handlers that method security checks, behind those checks: who lost a role is
 * refused, and gets no stored answer. Thread-safe.
 */
final class IdempotencyAdvisor extends StaticMethodMatcherPointcutAdvisor {

  /** Behind all interceptors of method security, which end at 600; before transactions. */
  static final int ORDER = 1000;

  private static final long serialVersionUID = 1;

  IdempotencyAdvisor(Supplier<Admission> admission) {
    super(new Advice(admission));
    setOrder(ORDER);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    return AdvisedHandlers.match(method, type);
  }

  private record Advice(Supplier<Admission> admission) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
      if (attributes instanceof ServletRequestAttributes servlet && servlet.getResponse() != null) {
        HttpServletRequest request = servlet.getRequest();
        Admission.Waiting waiting = AdvisorWait.take(request, invocation.getMethod());
        if (waiting != null) {
          Answer answer = admission.get().admit(waiting, request, servlet.getResponse());
          if (answer != null) {
            IdempotencyInterceptor.letThrough(RequestExchange.of(request));
            throw new AnswerSignal(answer);
          }
        }
      }
      return invocation.proceed();
    }
  }
}
