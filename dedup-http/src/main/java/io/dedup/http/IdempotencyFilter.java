// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Begins and ends the exchange of a request that may be guarded, over all its dispatches. Others
 * pass through untouched. Thread-safe.
 */
final class IdempotencyFilter extends OncePerRequestFilter {

  private final HttpOptions options;
  private final Settling settling;
  private final SecurityPlace place;
  private final Predicate<HttpServletRequest> keyedWithoutHeader;

  IdempotencyFilter(
      HttpOptions options,
      Settling settling,
      SecurityPlace place,
      Predicate<HttpServletRequest> keyedWithoutHeader) {
    this.options = options;
    this.settling = settling;
    this.place = place;
    this.keyedWithoutHeader = keyedWithoutHeader;
  }

  /** The second half of an asynchronous request is where it ends. */
  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    RequestExchange exchange = RequestExchange.of(request);
    if (exchange != null) {
      // Dispatched again, with our wrappers around it already.
      through(exchange, request, response, chain);
    } else if (applies(request)) {
      checkPlace(request);
      RequestExchange begun = new RequestExchange(request, response, settling);
      through(begun, begun.request(), begun.response(), chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private boolean applies(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.REQUEST
        && options.methods().contains(request.getMethod())
        && (request.getHeader(options.header()) != null || keyedWithoutHeader.test(request));
  }

  /** Before Spring Security every caller would be anonymous, and share keys with all others. */
  private void checkPlace(HttpServletRequest request) {
    if (place == SecurityPlace.BEHIND && request.getAttribute(SecurityPlace.APPLIED) == null) {
      throw new IllegalStateException(
          "filter-order: was before springSecurityFilterChain, must be behind it");
    }
  }

  private static void through(
      RequestExchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws ServletException, IOException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException | Error e) {
      exchange.finish(cause(e));
      throw e;
    } finally {
      exchange.leave();
    }
    if (!request.isAsyncStarted()) {
      exchange.finish(null);
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof ServletException servlet && servlet.getRootCause() != null
        ? servlet.getRootCause()
        : failure;
  }
}
