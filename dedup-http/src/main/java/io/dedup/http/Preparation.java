// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.Fingerprint;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds key, caller and fingerprint of a request. Thread-safe. */
final class Preparation {

  private final HttpOptions options;
  private final CallerResolver callers;
  private final TenantResolver tenants;
  private final KeyReader keys;
  private final PreparedKeys prepared;

  Preparation(
      HttpOptions options,
      CallerResolver callers,
      TenantResolver tenants,
      @Nullable Tokens tokens) {
    this.options = options;
    this.callers = callers;
    this.tenants = tenants;
    this.keys = new KeyReader(options);
    this.prepared = new PreparedKeys(options, tokens);
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
      return PreparedKeys.absent(operation);
    }
    if (!sent && !operation.needsNoHeader()) {
      return PreparedKeys.absent(operation);
    }
    if (tooLarge(request, exchange.request())) {
      return PreparedKeys.tooLarge();
    }
    Body body = exchange.request().isBuffered() ? exchange.request().body() : null;
    RequestValues values = ValuesReader.of(request, tenants.tenantOf(request), body);
    List<String> sentKeys = Collections.list(request.getHeaders(options.header()));
    ClientKey key = keys.of(sentKeys, operation, values);
    if (!(key instanceof ClientKey.Valid valid)) {
      return Objects.requireNonNull(PreparedKeys.refusal(operation, key));
    }
    Caller caller = callers.callerOf(request, operation.scope());
    Prepared refusal = PreparedKeys.refusal(operation, caller, valid.text());
    if (refusal != null) {
      return refusal;
    }
    Fingerprint fingerprint = FingerprintReader.of(request, operation.body(), body, values);
    return prepared.ask(
        new PreparedKeys.About(operation, name, request.getMethod(), route),
        valid.text(),
        caller,
        fingerprint);
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
}
