// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import io.dedup.Held;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** What is known of one request to a WebFlux application, from the filter to its end. */
final class ReactiveState {

  private static final String ATTRIBUTE = ReactiveState.class.getName();

  private final HandlerContext context = new HandlerContext();
  private final AtomicBoolean settled = new AtomicBoolean();
  private final CachedExchange exchange;
  private final CollectedResponse response;
  private volatile boolean asked;
  private volatile @Nullable Guarded guarded;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Wait wait;

  /**
   * Begins.
   *
   * @param original the request as the filter got it
   * @param spoolThreshold from how many bytes on a response is collected in a file
   */
  ReactiveState(ServerWebExchange original, ReactiveEnd end, int spoolThreshold) {
    this.response = new CollectedResponse(original.getResponse(), this, end, spoolThreshold);
    this.exchange = new CachedExchange(original, response);
    exchange.getAttributes().put(ATTRIBUTE, this);
  }

  /**
   * What is known of a guarded request.
   *
   * @param operation how it is guarded
   * @param name of the operation
   * @param held the claim
   */
  record Guarded(Operation operation, String name, Held held) {}

  /** A request whose key is claimed behind method security, by the call of its handler. */
  private record Wait(Method handler, ReactiveAdmission.Waiting waiting) {}

  /** Returns the state of a request, null if the filter has not begun one. */
  static @Nullable ReactiveState of(ServerWebExchange exchange) {
    return exchange.getAttribute(ATTRIBUTE) instanceof ReactiveState state ? state : null;
  }

  CachedExchange exchange() {
    return exchange;
  }

  CollectedResponse response() {
    return response;
  }

  HandlerContext context() {
    return context;
  }

  /** Returns what the handler will know of its claim when it runs, null if there will be none. */
  @Nullable DedupContext contextToCome() {
    Wait waiting = wait;
    return context.hasBegun()
            || (waiting != null && waiting.waiting().prepared() instanceof Prepared.Ask)
        ? context
        : null;
  }

  /** A claim is asked for: from now on this request is nobody's to cancel. */
  void asks() {
    asked = true;
  }

  /** The handler runs under a claim from now on. */
  void begin(Operation operation, String name, Held held) {
    context.begin(held);
    guarded = new Guarded(operation, name, held);
  }

  /** There is no claim, so whoever hangs up may cancel the handler. */
  void runsWithoutClaim() {
    asked = false;
  }

  @Nullable Guarded guarded() {
    return guarded;
  }

  /** Whether a client that hangs up ends the handler: a claim outlives its client. */
  boolean mayBeCancelled() {
    return !asked || (guarded != null && !response.isHeld());
  }

  /** The handler failed, whether or not somebody makes a response of it. */
  void failed(Throwable cause) {
    failure = cause;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether this is the first end of the request. */
  boolean endsFirst() {
    return settled.compareAndSet(false, true);
  }

  void waitFor(Method handler, ReactiveAdmission.Waiting waiting) {
    wait = new Wait(handler, waiting);
  }

  /** Returns what waits for a call of {@code method}, null if nothing does. */
  ReactiveAdmission.@Nullable Waiting take(Method method) {
    Wait waiting = wait;
    if (waiting == null
        || !waiting.handler().getName().equals(method.getName())
        || !Arrays.equals(waiting.handler().getParameterTypes(), method.getParameterTypes())) {
      return null;
    }
    wait = null;
    return waiting.waiting();
  }
}
