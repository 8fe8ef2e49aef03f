// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.function.Predicate;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;

/**
 * Begins and ends a request that may be guarded. Others pass through untouched. Thread-safe.
 *
 * <p>A handler that runs under a claim outlives a client that hangs up: it ends, its answer is
 * stored, and the next one who asks gets it. What is streamed ends with its client.
 */
final class ReactiveFilter implements WebFilter, Ordered {

  private final HttpOptions options;
  private final ReactiveEnd end;
  private final Predicate<ServerWebExchange> keyedWithoutHeader;
  private final int order;

  ReactiveFilter(
      HttpOptions options,
      ReactiveEnd end,
      Predicate<ServerWebExchange> keyedWithoutHeader,
      int order) {
    this.options = options;
    this.end = end;
    this.keyedWithoutHeader = keyedWithoutHeader;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    boolean applies =
        ReactiveState.of(exchange) == null
            && options.methods().contains(exchange.getRequest().getMethod().name())
            && (exchange.getRequest().getHeaders().containsHeader(options.header())
                || keyedWithoutHeader.test(exchange));
    return applies ? Mono.create(sink -> begin(exchange, chain, sink)) : chain.filter(exchange);
  }

  private void begin(ServerWebExchange exchange, WebFilterChain chain, MonoSink<Void> sink) {
    ReactiveState state = new ReactiveState(exchange, end, options.request().spoolThreshold());
    Disposable running =
        chain
            .filter(state.exchange())
            .then(Mono.defer(() -> end.returned(state)))
            .onErrorResume(e -> end.failed(state, e).then(Mono.error(e)))
            .doFinally(signal -> state.response().discard())
            .subscribe(
                nothing -> {},
                sink::error,
                sink::success,
                Context.of(sink.contextView()).put(ReactiveState.class, state));
    sink.onCancel(
        () -> {
          if (state.mayBeCancelled()) {
            running.dispose();
            end.hungUp(state).subscribe();
          }
        });
  }
}
