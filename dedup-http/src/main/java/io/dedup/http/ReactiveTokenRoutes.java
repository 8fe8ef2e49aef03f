// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.StoreException;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Issues tokens in a WebFlux application. Thread-safe. */
final class ReactiveTokenRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(ReactiveTokenRoutes.class);

  private final Tokens tokens;
  private final ReactiveCallerResolver callers;
  private final HttpOptions options;
  private final Supplier<Map<String, Operation>> operations;
  private final Scheduler scheduler;

  ReactiveTokenRoutes(
      Tokens tokens,
      ReactiveCallerResolver callers,
      HttpOptions options,
      Supplier<Map<String, Operation>> operations,
      Scheduler scheduler) {
    this.tokens = tokens;
    this.callers = callers;
    this.options = options;
    this.operations = operations;
    this.scheduler = scheduler;
  }

  /** Returns the route. Not GET: what prefetches and what caches would take tokens. */
  RouterFunction<ServerResponse> at(String path) {
    return RouterFunctions.route().POST(path, this::issue).build();
  }

  private Mono<ServerResponse> issue(ServerRequest request) {
    String name = request.queryParam("operation").orElse("");
    Operation operation = operations.get().get(name);
    if (operation == null) {
      return problem(
          Problem.of(
              ProblemCode.TOKEN_INVALID, "There is no such operation; name it by 'operation'."));
    }
    return callers
        .callerOf(request.exchange(), operation.scope())
        .flatMap(
            caller ->
                caller.isAnonymous() && operation.anonymous() != AnonymousCallers.ALLOW
                    ? problem(Problem.of(ProblemCode.CALLER_UNKNOWN))
                    : issued(caller, name));
  }

  private Mono<ServerResponse> issued(Caller caller, String name) {
    return Mono.fromCallable(() -> tokens.issue(caller, name))
        .subscribeOn(scheduler)
        .publishOn(Schedulers.parallel())
        .flatMap(
            token ->
                ServerResponse.status(201)
                    .header("Cache-Control", "no-store")
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(TokenJson.of(token)))
        .onErrorResume(
            StoreException.class,
            e -> {
              LOG.warn("the store is in trouble, no token is issued: {}", e.getMessage());
              return problem(
                  Problem.retryAfter(
                      ProblemCode.STORE_UNAVAILABLE, options.answers().retryAfterMax()));
            });
  }

  private Mono<ServerResponse> problem(Problem problem) {
    return ServerResponse.status(problem.status(options.answers()))
        .headers(headers -> new AnswerFields(options.answers()).of(problem).forEach(headers::set))
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .bodyValue(problem.json(options.answers()));
  }
}
