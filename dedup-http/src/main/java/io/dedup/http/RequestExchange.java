// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import io.dedup.Held;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * One request that may be guarded, from the filter to its end, over all its dispatches.
 *
 * <p>It ends once: in the filter when the last dispatch has returned, or when somebody completes it
 * from another thread. The order is always the same: what the handler answered is stored, then it
 * is sent, so a client that hangs up changes nothing.
 *
 * <p>A request that timed out does not settle its claim, and what its handler answers later settles
 * nothing either: see {@link GivenUp}.
 */
final class RequestExchange {

  private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);
  private static final String ATTRIBUTE = RequestExchange.class.getName();

  private static final String MDC_KEY = "dedup.key";
  private static final String MDC_TRACE = "dedup.trace";

  private final RereadableRequest request;
  private final HeldResponse response;
  private final Settling settling;
  private final AtomicBoolean finished = new AtomicBoolean();
  private volatile @Nullable Guarded guarded;
  private final HandlerContext context = new HandlerContext();
  private volatile boolean abandoned;

  RequestExchange(HttpServletRequest request, HttpServletResponse response, Settling settling) {
    this.request = new RereadableRequest(request, this);
    this.response = new HeldResponse(response, settling.options().request().spoolThreshold());
    this.settling = settling;
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Returns the exchange of a request, null if the filter has not begun one. */
  static @Nullable RequestExchange of(ServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof RequestExchange exchange ? exchange : null;
  }

  RereadableRequest request() {
    return request;
  }

  HeldResponse response() {
    return response;
  }

  /** Returns what the handler may know of its claim, null if it runs without one. */
  @Nullable DedupContext context() {
    return context.hasBegun() ? context : null;
  }

  /** Returns what the handler will know of its claim when it runs, null if there will be none. */
  @Nullable DedupContext contextToCome() {
    return context.hasBegun() || AdvisorWait.asks(request) ? context : null;
  }

  /**
   * The handler runs under a claim from now on.
   *
   * @param held the claim
   * @param what the operation it is for
   */
  void begin(Held held, Guarded what) {
    guarded = what;
    context.begin(held);
    MDC.put(MDC_KEY, held.key().id());
    MDC.put(MDC_TRACE, Long.toString(held.context().fencingToken()));
    if (!response.isHeld()) {
      // What is streamed is on its way before anything can be said of its end.
      settling.writer().handled("executed", request, response);
    }
  }

  /** A thread has done what it had to do for this request. */
  void leave() {
    if (guarded != null) {
      MDC.remove(MDC_KEY);
      MDC.remove(MDC_TRACE);
    }
  }

  /** Somebody else answers this request later. */
  void asyncStarted(AsyncContext async) {
    async.addListener(new Watch());
  }

  /**
   * The last dispatch has returned, and nobody else will answer.
   *
   * @param failure what was thrown through the filter, null if it returned
   */
  void finish(@Nullable Throwable failure) throws IOException {
    if (!finished.compareAndSet(false, true)) {
      return;
    }
    try {
      settle(failure);
      if (failure == null) {
        response.send();
      }
    } finally {
      discard();
    }
  }

  private void settle(@Nullable Throwable failure) {
    Guarded what = guarded;
    if (what == null) {
      return;
    }
    Throwable cause = failure == null ? handled() : failure;
    if (!response.isHeld() && response.isCommitted()) {
      settling.streamed(context, what, cause, this);
    } else if (abandoned) {
      settling.abandoned(context, what, this);
    } else {
      settling.settle(context, what, cause, failure != null, this);
    }
  }

  /** Returns the exception that somebody made a response of, if there was one. */
  private @Nullable Throwable handled() {
    return request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof Throwable failure
        ? failure
        : null;
  }

  /** Called by who ends an asynchronous request without another dispatch. */
  void finishBeforeComplete() {
    try {
      finish(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void discard() {
    try {
      request.discard();
      response.discard();
    } catch (UncheckedIOException e) {
      LOG.warn("a temporary file was not removed: {}", e.getMessage());
    }
  }

  /**
   * What is known of a guarded request.
   *
   * @param operation how it is guarded
   * @param name of the operation, for meters
   */
  record Guarded(Operation operation, String name) {}

  private final class Watch implements AsyncListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      abandoned = true;
    }

    @Override
    public void onError(AsyncEvent event) {
      abandoned = true;
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
      // As a rule it has ended by now; where it has not, what is known is stored all the same.
      finish(null);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }

  /** Returns what was answered, for the store. */
  StoredResponse toStored(Operation operation, boolean thrown) {
    return thrown
        ? new StoredResponse(StoredResponse.Kind.ERROR, 500, null, List.of(), new byte[0])
        : response.toStored(operation, settling.options().response());
  }
}
