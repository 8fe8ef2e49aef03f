// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives handlers of a WebFlux application what they may know of their claims. */
final class ReactiveContextResolver implements HandlerMethodArgumentResolver {

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == DedupContext.class;
  }

  @Override
  public Mono<Object> resolveArgument(
      MethodParameter parameter, BindingContext bindings, ServerWebExchange exchange) {
    ReactiveState state = ReactiveState.of(exchange);
    return state == null ? Mono.empty() : Mono.justOrEmpty(state.contextToCome());
  }
}
