// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Delivery;
import io.dedup.claim.Origin;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds key, caller and fingerprint of a request. Thread-safe. */
final class Preparation {

  private final HttpOptions options;
  private final CallerResolver callers;
  private final TenantResolver tenants;
  private final KeyReader keys;
  private final @Nullable Tokens tokens;

  Preparation(
      HttpOptions options,
      CallerResolver callers,
      TenantResolver tenants,
      @Nullable Tokens tokens) {
    this.options = options;
    this.callers = callers;
    this.tenants = tenants;
    this.keys = new KeyReader(options);
    this.tokens = tokens;
  }

  /**
   * Prepares a request.
   *
   * @param exchange the filter's, null if it saw neither a key nor a need for one
   */
  Prepared of(
      HttpServletRequest request,
      @Nullable RequestExchange exchange,
      Operation operation,
      String name,
      String route)
      throws IOException, ServletException {
    boolean sent = request.getHeaders(options.header()).hasMoreElements();
    if (exchange == null) {
      if (sent || operation.needsNoHeader()) {
        throw new IllegalStateException(
            "filter: was passed by, must be in front of every request with a key");
      }
      return absent(operation);
    }
    if (!sent && !operation.needsNoHeader()) {
      return absent(operation);
    }
    if (tooLarge(request, exchange.request())) {
      return refused(Problem.of(ProblemCode.REQUEST_TOO_LARGE), RequestOutcome.INVALID);
    }
    Body body = exchange.request().isBuffered() ? exchange.request().body() : null;
    RequestValues values = ValuesReader.of(request, tenants.tenantOf(request), body);
    ClientKey key = keys.of(request, operation, values);
    if (key instanceof ClientKey.Invalid invalid) {
      return refused(Problem.of(ProblemCode.KEY_INVALID, invalid.why()), RequestOutcome.INVALID);
    }
    if (!(key instanceof ClientKey.Valid valid)) {
      // An expression found nothing. If no key is required the client is told that it runs
      // unguarded, for it cannot know.
      return operation.required() ? absent(operation) : new Prepared.Known(new Answer.Bypass());
    }
    Caller caller = callers.callerOf(request, operation.scope());
    if (caller.isAnonymous() && operation.sharedScope().isEmpty()) {
      Prepared refusal = anonymous(operation, valid.text());
      if (refusal != null) {
        return refusal;
      }
    }
    Fingerprint fingerprint = FingerprintReader.of(request, operation.body(), body, values);
    return ask(request.getMethod(), operation, name, route, valid.text(), caller, fingerprint);
  }

  private Prepared ask(
      String method,
      Operation operation,
      String name,
      String route,
      String clientKey,
      Caller caller,
      Fingerprint fingerprint) {
    IdempotencyKey key =
        operation.sharedScope().isEmpty()
            ? RequestKey.of(
                options.namespace(), caller, options.keyPerOperation() ? name : "", clientKey)
            : IdempotencyKey.of(operation.sharedScope(), clientKey);
    Delivery delivery =
        Delivery.of(key)
            .withFingerprint(fingerprint)
            .withOrigin(Origin.http(method, route))
            .withLabel(cut(name));
    if (!operation.issuedToken() || tokens == null) {
      return new Prepared.Ask(delivery, ProblemCode.TOKEN_INVALID);
    }
    return switch (tokens.check(clientKey, caller, name)) {
      case FRESH -> new Prepared.Ask(delivery, ProblemCode.TOKEN_INVALID);
      case ISSUED -> new Prepared.Ask(delivery.asIssuedOnly(), ProblemCode.TOKEN_INVALID);
      // It begins nothing any more, and still answers for what it began.
      case EXPIRED -> new Prepared.Ask(delivery.asIssuedOnly(), ProblemCode.TOKEN_EXPIRED);
      case INVALID -> refused(Problem.of(ProblemCode.TOKEN_INVALID), RequestOutcome.INVALID);
    };
  }

  /** Reads the body, unless the container does. Returns whether it is too large. */
  private boolean tooLarge(HttpServletRequest request, RereadableRequest rereadable)
      throws IOException {
    if (request.getContentLengthLong() > options.request().maxBody()) {
      return true;
    }
    boolean readByContainer =
        FingerprintReader.isForm(request) || FingerprintReader.isMultipart(request);
    return !readByContainer && !rereadable.isBuffered() && !rereadable.buffer(options.request());
  }

  private static Prepared absent(Operation operation) {
    return operation.required()
        ? refused(Problem.of(ProblemCode.KEY_MISSING), RequestOutcome.MISSING)
        : new Prepared.Unguarded();
  }

  private static @Nullable Prepared anonymous(Operation operation, String key) {
    return switch (operation.anonymous()) {
      case REJECT -> refused(Problem.of(ProblemCode.CALLER_UNKNOWN), RequestOutcome.INVALID);
      case BYPASS -> new Prepared.Known(new Answer.Bypass());
      case ALLOW ->
          key.length() >= AnonymousCallers.KEY_LENGTH_MIN
              ? null
              : refused(
                  Problem.of(
                      ProblemCode.KEY_INVALID,
                      "Of an anonymous caller it must have at least "
                          + AnonymousCallers.KEY_LENGTH_MIN
                          + " characters."),
                  RequestOutcome.INVALID);
    };
  }

  private static Prepared refused(Problem problem, RequestOutcome outcome) {
    return new Prepared.Known(new Answer.Refuse(problem, outcome));
  }

  private static String cut(String label) {
    return label.length() <= Delivery.LABEL_MAX ? label : label.substring(0, Delivery.LABEL_MAX);
  }
}
