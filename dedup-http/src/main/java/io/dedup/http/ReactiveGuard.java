// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Stands between the found handler and its call: finds out how the request is guarded, claims its
 * key, or leaves that to the advisor behind method security, and lets another adapter make the
 * call. Thread-safe.
 */
final class ReactiveGuard implements HandlerAdapter, Ordered {

  private final Operations operations;
  private final ReactivePreparation preparation;
  private final ReactiveAdmission admission;
  private final ReactiveAnswers answers;
  private final boolean behindSecurity;
  private final Supplier<Stream<HandlerAdapter>> adapters;

  ReactiveGuard(
      Operations operations,
      ReactivePreparation preparation,
      ReactiveAdmission admission,
      ReactiveAnswers answers,
      SecurityPlace place,
      Supplier<Stream<HandlerAdapter>> adapters) {
    this.operations = operations;
    this.preparation = preparation;
    this.admission = admission;
    this.answers = answers;
    this.behindSecurity = place == SecurityPlace.BEHIND;
    this.adapters = adapters;
  }

  /** Before all others, whom it asks. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public boolean supports(Object handler) {
    return next(handler) != null;
  }

  private @Nullable HandlerAdapter next(Object handler) {
    return adapters
        .get()
        .filter(adapter -> !(adapter instanceof ReactiveGuard) && adapter.supports(handler))
        .findFirst()
        .orElse(null);
  }

  @Override
  public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
    HandlerAdapter next = next(handler);
    if (next == null) {
      return Mono.error(new IllegalStateException("no adapter for " + handler));
    }
    String method = exchange.getRequest().getMethod().name();
    Operation operation =
        operations.of(handler, method, exchange.getRequest().getPath().pathWithinApplication());
    if (operation == null) {
      return next.handle(exchange, handler);
    }
    String route = route(exchange);
    String name = operation.nameFor(method, route);
    ReactiveState state = ReactiveState.of(exchange);
    return preparation
        .of(exchange, state, new PreparedKeys.About(operation, name, method, route))
        .flatMap(
            prepared ->
                guarded(
                    new ReactiveAdmission.Waiting(operation, name, prepared),
                    exchange,
                    state,
                    handler,
                    next));
  }

  private Mono<HandlerResult> guarded(
      ReactiveAdmission.Waiting waiting,
      ServerWebExchange exchange,
      @Nullable ReactiveState state,
      Object handler,
      HandlerAdapter next) {
    if (state != null
        && waiting.prepared() instanceof Prepared.Ask
        && !operations.streams(handler)) {
      state.response().hold();
    }
    if (state != null
        && handler instanceof HandlerMethod method
        && Operations.claimsInAdvisor(
            waiting.operation(), method.getMethod(), method.getBeanType())) {
      state.waitFor(method.getMethod(), waiting);
      return called(exchange, state, handler, next);
    }
    return admission
        .admit(waiting, exchange, state)
        .flatMap(
            answer ->
                answer
                    .map(instead -> instead(instead, exchange, state))
                    .orElseGet(() -> called(exchange, state, handler, next)));
  }

  /** Nothing runs, so nothing has to be stored before our own answer is sent. */
  private Mono<HandlerResult> instead(
      Answer answer, ServerWebExchange exchange, @Nullable ReactiveState state) {
    if (behindSecurity && ReactiveAnswers.isUnknownCaller(answer)) {
      return Mono.error(MissingAuthentication.exception());
    }
    if (state != null) {
      state.response().letThrough();
    }
    return answers.write(answer, exchange).then(Mono.empty());
  }

  private Mono<HandlerResult> called(
      ServerWebExchange exchange,
      @Nullable ReactiveState state,
      Object handler,
      HandlerAdapter next) {
    Mono<HandlerResult> called = next.handle(exchange, handler);
    return state == null ? called : called.map(result -> watched(result, state));
  }

  /** What the handler's publisher signals is noted, and is ours if the advisor sent it. */
  private HandlerResult watched(HandlerResult result, ReactiveState state) {
    DispatchExceptionHandler others = result.getExceptionHandler();
    return result.setExceptionHandler(
        (exchange, failure) -> {
          if (failure instanceof AnswerSignal signal) {
            return instead(signal.answer(), exchange, state);
          }
          state.failed(failure);
          return others == null ? Mono.error(failure) : others.handleError(exchange, failure);
        });
  }

  private static String route(ServerWebExchange exchange) {
    Object pattern = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    return pattern == null
        ? exchange.getRequest().getPath().pathWithinApplication().value()
        : pattern.toString();
  }
}
