// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Claims;
import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.server.PathContainer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The parts that let requests to a Spring WebFlux application act once, and how they go together.
 * Thread-safe.
 *
 * <p>Make it a bean, and {@link #webFilter()}, {@link #handlerAdapter()}, {@link
 * #argumentResolver()} (by a {@code WebFluxConfigurer}), and, where method security checks
 * handlers, {@link #advisor} as well. Stores are asked in threads of its own, which are as many as
 * {@link ReactiveRequestsBuilder#threads} says; the event loop never waits for one.
 */
public final class ReactiveIdempotentRequests
    implements SmartInitializingSingleton, BeanFactoryAware, DisposableBean {

  private static final int QUEUE_PER_THREAD = 10_000;

  private final HttpOptions options;
  private final SecurityPlace place;
  private final Scheduler scheduler;
  private final StartCheck check;
  private final Operations operations;
  private final ReactiveAdmission admission;
  private final ReactiveFilter filter;
  private final HandlerAdapter adapter;
  private final @Nullable RouterFunction<ServerResponse> tokenRoutes;
  private volatile List<PathPattern> keyedWithoutHeader = List.of();
  private volatile Map<String, Operation> tokenOperations = Map.of();
  private volatile List<HandlerAdapter> adapters = List.of();
  private @Nullable BeanFactory beans;

  ReactiveIdempotentRequests(ReactiveRequestsBuilder builder) {
    this.options = builder.options();
    this.place = builder.place();
    this.scheduler =
        Schedulers.newBoundedElastic(builder.threads(), QUEUE_PER_THREAD, "dedup-http");
    Tokens tokens = builder.issuedTokens();
    ReactiveCallerResolver callers = builder.callerResolver();
    ReactiveAnswers answers = new ReactiveAnswers(options);
    Told told = new Told(builder.listeners());
    Claims claims = builder.deduplicator().claims(Deduplicator.MAX_UNSETTLED);
    Gate gate = new Gate(claims, builder.clock(), options.answers().retryAfterMax());
    this.operations =
        new Operations(options, new OperationReader(options, builder.onReplay(), tokens));
    this.check = new StartCheck(options, operations, ReactiveAdvisor.class);
    this.admission =
        new ReactiveAdmission(
            options, gate, builder.codec(), answers, told, builder.clock(), scheduler);
    ReactiveEnd end =
        new ReactiveEnd(new Settler(builder.codec()), options, answers, told, scheduler);
    this.filter =
        new ReactiveFilter(options, end, this::isKeyedWithoutHeader, builder.filterOrder());
    this.adapter =
        new ReactiveGuard(
            operations,
            new ReactivePreparation(options, callers, builder.tenantResolver(), tokens),
            admission,
            answers,
            place,
            () -> adapters().stream());
    this.tokenRoutes =
        tokens == null
            ? null
            : new ReactiveTokenRoutes(tokens, callers, options, () -> tokenOperations, scheduler)
                .at(builder.tokenPath());
  }

  /** Returns a builder on a deduplicator. */
  public static ReactiveRequestsBuilder builder(Deduplicator deduplicator) {
    return new ReactiveRequestsBuilder(deduplicator);
  }

  /**
   * Returns what the handler of a request may know of its claim, null if it runs without one. A
   * handler that has a parameter of this type is given it.
   */
  public static @Nullable DedupContext context(ServerWebExchange exchange) {
    ReactiveState state = ReactiveState.of(exchange);
    return state == null || !state.context().hasBegun() ? null : state.context();
  }

  /** Returns the filter, which has its order. */
  public WebFilter webFilter() {
    return filter;
  }

  /** Returns the adapter that stands before all others, and asks them. */
  public HandlerAdapter handlerAdapter() {
    return adapter;
  }

  /**
   * Returns the advisor that claims keys behind method security, of requests that need not be made
   * yet: advisors are asked for by the first bean of an application.
   */
  public static Advisor advisor(Supplier<ReactiveIdempotentRequests> requests) {
    return new ReactiveAdvisor(SingletonSupplier.of(() -> requests.get().admission));
  }

  /** Returns the resolver of parameters of the type {@link DedupContext}. */
  public HandlerMethodArgumentResolver argumentResolver() {
    return new ReactiveContextResolver();
  }

  /**
   * Returns the token endpoint, to be a bean.
   *
   * @throws IllegalStateException if there is none
   */
  public RouterFunction<ServerResponse> tokenRoutes() {
    if (tokenRoutes == null) {
      throw new IllegalStateException("tokens: was not set, must be set for an endpoint");
    }
    return tokenRoutes;
  }

  @Override
  public void setBeanFactory(BeanFactory factory) {
    this.beans = factory;
  }

  /**
   * Checks the place of the filter, and all handlers.
   *
   * @throws HandlerRefused naming a handler, what it was and what it must be
   * @throws FilterMisplaced if the filter is not behind Spring Security's
   */
  @Override
  public void afterSingletonsInstantiated() {
    if (beans instanceof ListableBeanFactory factory) {
      ReactiveFilterPlace.check(factory, filter);
      BeanFactoryUtils.beansOfTypeIncludingAncestors(factory, RequestMappingHandlerMapping.class)
          .values()
          .forEach(
              mapping ->
                  mapping
                      .getHandlerMethods()
                      .forEach((info, handler) -> check(info, handler, factory)));
      keyedWithoutHeader = check.keyedWithoutHeader();
      tokenOperations = check.tokenOperations();
      StartReport.tell(check.guarded(), options, place);
    }
  }

  private void check(RequestMappingInfo info, HandlerMethod handler, BeanFactory factory) {
    Set<String> methods = new HashSet<>();
    info.getMethodsCondition().getMethods().forEach(method -> methods.add(method.name()));
    for (PathPattern pattern : info.getPatternsCondition().getPatterns()) {
      String text = pattern.getPatternString();
      check.check(List.of(text), methods, handler, factory);
      Operation operation = operations.of(handler, PathContainer.parsePath(text));
      if (operation != null
          && Operations.claimsInAdvisor(operation, handler.getMethod(), handler.getBeanType())
          && !Publisher.class.isAssignableFrom(handler.getMethod().getReturnType())) {
        throw new HandlerRefused(
            handler.getShortLogMessage(),
            new IllegalArgumentException(
                "claim-point: was ADVISOR, must be PRE_HANDLE for a handler that returns neither"
                    + " Mono nor Flux"));
      }
    }
  }

  private boolean isKeyedWithoutHeader(ServerWebExchange exchange) {
    var path = exchange.getRequest().getPath().pathWithinApplication();
    return keyedWithoutHeader.stream().anyMatch(pattern -> pattern.matches(path));
  }

  /** Asked for when the first request comes: they need not be there before. */
  private List<HandlerAdapter> adapters() {
    if (adapters.isEmpty() && beans instanceof ListableBeanFactory factory) {
      adapters = factory.getBeanProvider(HandlerAdapter.class).orderedStream().toList();
    }
    return adapters;
  }

  /** Ends its threads. */
  @Override
  public void destroy() {
    scheduler.dispose();
  }
}
