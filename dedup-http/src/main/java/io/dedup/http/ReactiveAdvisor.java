// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Claims keys around handlers of a WebFlux application that method security checks, behind those
 * checks. Thread-safe.
 */
final class ReactiveAdvisor extends StaticMethodMatcherPointcutAdvisor {

  private static final long serialVersionUID = 1;

  ReactiveAdvisor(Supplier<ReactiveAdmission> admission) {
    super(new Advice(admission));
    setOrder(IdempotencyAdvisor.ORDER);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    return Publisher.class.isAssignableFrom(method.getReturnType())
        && AdvisedHandlers.match(method, type);
  }

  private record Advice(Supplier<ReactiveAdmission> admission) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Method method = invocation.getMethod();
      Mono<Optional<Answer>> admitted =
          Mono.deferContextual(
              context -> {
                ReactiveState state = context.getOrDefault(ReactiveState.class, null);
                ReactiveAdmission.Waiting waiting = state == null ? null : state.take(method);
                return state == null || waiting == null
                    ? Mono.just(Optional.empty())
                    : admission.get().admit(waiting, state.exchange(), state);
              });
      return Mono.class.isAssignableFrom(method.getReturnType())
          ? admitted.flatMap(answer -> Mono.from(proceed(answer, invocation)))
          : admitted.flatMapMany(answer -> Flux.from(proceed(answer, invocation)));
    }

    private static Publisher<?> proceed(Optional<Answer> answer, MethodInvocation invocation) {
      if (answer.isPresent()) {
        return Mono.error(new AnswerSignal(answer.get()));
      }
      try {
        Publisher<?> answered = (Publisher<?>) invocation.proceed();
        return answered == null ? Mono.empty() : answered;
      } catch (Throwable e) {
        return Mono.error(e);
      }
    }
  }
}
