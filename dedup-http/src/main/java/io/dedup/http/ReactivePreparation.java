// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.Fingerprint;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Finds key, caller and fingerprint of a request to a WebFlux application. Thread-safe. */
final class ReactivePreparation {

  private final HttpOptions options;
  private final ReactiveCallerResolver callers;
  private final ReactiveTenantResolver tenants;
  private final KeyReader keys;
  private final PreparedKeys prepared;

  ReactivePreparation(
      HttpOptions options,
      ReactiveCallerResolver callers,
      ReactiveTenantResolver tenants,
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
   * @param state the filter's, null if it saw neither a key nor a need for one
   */
  Mono<Prepared> of(
      ServerWebExchange exchange, @Nullable ReactiveState state, PreparedKeys.About about) {
    Operation operation = about.operation();
    List<String> sent = exchange.getRequest().getHeaders().getOrEmpty(options.header());
    if (state == null) {
      return sent.isEmpty() && !operation.needsNoHeader()
          ? Mono.just(PreparedKeys.absent(operation))
          : Mono.error(
              new IllegalStateException(
                  "filter: was passed by, must be in front of every request with a key"));
    }
    if (sent.isEmpty() && !operation.needsNoHeader()) {
      return Mono.just(PreparedKeys.absent(operation));
    }
    int max = options.request().maxBody();
    if (exchange.getRequest().getHeaders().getContentLength() > max) {
      return Mono.just(PreparedKeys.tooLarge());
    }
    return state
        .exchange()
        .cache(max)
        .flatMap(
            within ->
                within
                    ? Mono.zip(principal(exchange), tenants.tenantOf(exchange))
                        .flatMap(
                            who ->
                                read(
                                    exchange,
                                    about,
                                    sent,
                                    values(exchange, state, who.getT1(), who.getT2())))
                    : Mono.just(PreparedKeys.tooLarge()));
  }

  /** From the reactive context; no thread has one here. */
  private static Mono<Optional<Principal>> principal(ServerWebExchange exchange) {
    return exchange.getPrincipal().map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  private Mono<Prepared> read(
      ServerWebExchange exchange,
      PreparedKeys.About about,
      List<String> sent,
      RequestValues values) {
    Operation operation = about.operation();
    ClientKey key = keys.of(sent, operation, values);
    if (!(key instanceof ClientKey.Valid valid)) {
      return Mono.just(Objects.requireNonNull(PreparedKeys.refusal(operation, key)));
    }
    return callers
        .callerOf(exchange, operation.scope())
        .flatMap(
            caller -> {
              Prepared refusal = PreparedKeys.refusal(operation, caller, valid.text());
              return refusal == null
                  ? ReactiveFingerprint.of(exchange, operation.body(), values)
                      .map(print -> asked(about, valid.text(), caller, print))
                  : Mono.just(refusal);
            });
  }

  private Prepared asked(
      PreparedKeys.About about, String key, Caller caller, Fingerprint fingerprint) {
    return prepared.ask(about, key, caller, fingerprint);
  }

  private static RequestValues values(
      ServerWebExchange exchange,
      ReactiveState state,
      Optional<Principal> principal,
      String tenant) {
    ServerHttpRequest request = exchange.getRequest();
    Map<String, String> headers = new LinkedCaseInsensitiveMap<>();
    request.getHeaders().forEach((name, all) -> headers.put(name, all.get(0)));
    Map<String, String> path = new HashMap<>();
    if (exchange.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
        instanceof Map<?, ?> found) {
      found.forEach((name, value) -> path.put(String.valueOf(name), String.valueOf(value)));
    }
    byte[] body = state.exchange().body();
    return new RequestValues(
        headers,
        path,
        RequestParts.query(request.getURI().getRawQuery()),
        principal.orElse(null),
        tenant,
        () -> body == null ? null : RequestParts.json(body));
  }
}
