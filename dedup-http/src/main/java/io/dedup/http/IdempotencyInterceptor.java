// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Stands between the found handler and its call: finds out how the request is guarded, and claims
 * its key, or leaves that to the advisor behind method security. Thread-safe.
 */
final class IdempotencyInterceptor implements HandlerInterceptor {

  private final Operations operations;
  private final Preparation preparation;
  private final Admission admission;
  private final AnswerWriter writer;
  private final boolean behindSecurity;

  IdempotencyInterceptor(
      Operations operations,
      Preparation preparation,
      Admission admission,
      AnswerWriter writer,
      SecurityPlace place) {
    this.operations = operations;
    this.preparation = preparation;
    this.admission = admission;
    this.writer = writer;
    this.behindSecurity = place == SecurityPlace.BEHIND;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException, ServletException {
    // The second half of an asynchronous request, and what handlers forward to, come by again.
    if (request.getDispatcherType() != DispatcherType.REQUEST) {
      return true;
    }
    Operation operation =
        operations.of(
            handler,
            request.getMethod(),
            ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication());
    if (operation == null) {
      return true;
    }
    String route = route(request);
    String name = operation.nameFor(request.getMethod(), route);
    RequestExchange exchange = RequestExchange.of(request);
    Prepared prepared = preparation.of(request, exchange, operation, name, route);
    if (exchange != null && prepared instanceof Prepared.Ask && !operations.streams(handler)) {
      exchange.response().hold();
    }
    Admission.Waiting waiting = new Admission.Waiting(operation, name, prepared);
    if (handler instanceof HandlerMethod method
        && Operations.claimsInAdvisor(operation, method.getMethod(), method.getBeanType())) {
      AdvisorWait.leave(request, method.getMethod(), waiting);
      return true;
    }
    Answer answer = admission.admit(waiting, request, response);
    if (answer == null) {
      return true;
    }
    if (behindSecurity && isUnknownCaller(answer)) {
      throw MissingAuthentication.exception();
    }
    letThrough(exchange);
    writer.write(answer, request, response);
    return false;
  }

  /** Nothing runs, so nothing has to be stored before our own answer is sent. */
  static void letThrough(@Nullable RequestExchange exchange) {
    if (exchange != null) {
      exchange.response().letThrough();
    }
  }

  private static boolean isUnknownCaller(Answer answer) {
    return answer instanceof Answer.Refuse refuse
        && refuse.problem().code() == ProblemCode.CALLER_UNKNOWN;
  }

  private static String route(HttpServletRequest request) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    return pattern == null ? request.getRequestURI() : pattern.toString();
  }
}
