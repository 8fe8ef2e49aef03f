// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.claim.StoreException;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Issues tokens for an operation, named by the parameter {@code operation}. Thread-safe. */
final class TokenRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(TokenRoutes.class);

  private final Tokens tokens;
  private final CallerResolver callers;
  private final HttpOptions options;
  private final Supplier<Map<String, Operation>> operations;

  TokenRoutes(
      Tokens tokens,
      CallerResolver callers,
      HttpOptions options,
      Supplier<Map<String, Operation>> operations) {
    this.tokens = tokens;
    this.callers = callers;
    this.options = options;
    this.operations = operations;
  }

  /** Returns the route. Not GET: what prefetches and what caches would take tokens. */
  RouterFunction<ServerResponse> at(String path) {
    return RouterFunctions.route().POST(path, this::issue).build();
  }

  private ServerResponse issue(ServerRequest request) {
    String name = request.param("operation").orElse("");
    Operation operation = operations.get().get(name);
    if (operation == null) {
      return problem(
          Problem.of(
              ProblemCode.TOKEN_INVALID, "There is no such operation; name it by 'operation'."));
    }
    Caller caller = callers.callerOf(request.servletRequest(), operation.scope());
    if (caller.isAnonymous() && operation.anonymous() != AnonymousCallers.ALLOW) {
      return problem(Problem.of(ProblemCode.CALLER_UNKNOWN));
    }
    try {
      Tokens.Token token = tokens.issue(caller, name);
      return ServerResponse.status(201)
          .header("Cache-Control", "no-store")
          .contentType(MediaType.APPLICATION_JSON)
          .body(TokenJson.of(token));
    } catch (StoreException e) {
      LOG.warn("the store is in trouble, no token is issued: {}", e.getMessage());
      return problem(
          Problem.retryAfter(ProblemCode.STORE_UNAVAILABLE, options.answers().retryAfterMax()));
    }
  }

  private ServerResponse problem(Problem problem) {
    AnswerOptions answers = options.answers();
    ServerResponse.BodyBuilder response =
        ServerResponse.status(problem.status(answers))
            .header("Cache-Control", "no-store")
            .header(answers.statusHeader(), problem.idempotencyStatus())
            .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (problem.retryAfter() != null) {
      response.header("Retry-After", Long.toString(Problem.seconds(problem.retryAfter())));
    }
    return response.body(problem.json(answers));
  }
}
