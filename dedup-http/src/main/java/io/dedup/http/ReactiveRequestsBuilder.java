// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.ResultCodec;
import io.dedup.claim.ClaimStore;
import io.dedup.time.ProcessClock;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Collects the parts of {@link ReactiveIdempotentRequests}. */
public final class ReactiveRequestsBuilder {

  /** How many threads ask stores unless said otherwise. */
  public static final int DEFAULT_THREADS = 32;

  private static final int THREADS_MAX = 1000;

  private final Deduplicator deduplicator;
  private final List<HttpListener> listeners = new ArrayList<>();
  private final Map<String, OnReplay> onReplay = new HashMap<>();
  private HttpOptions options = HttpOptions.defaults();
  private ProcessClock clock = ProcessClock.system();
  private SecurityPlace place = SecurityPlace.ABSENT;
  private ReactiveTenantResolver tenants = exchange -> Mono.just("");
  private int threads = DEFAULT_THREADS;
  private int filterOrder = 10;
  private @Nullable ReactiveCallerResolver callers;
  private @Nullable TokenOptions tokenOptions;
  private @Nullable ClaimStore tokenStore;
  private @Nullable LargeResults largeResults;

  ReactiveRequestsBuilder(Deduplicator deduplicator) {
    this.deduplicator = deduplicator;
  }

  /** Sets the options. */
  public ReactiveRequestsBuilder options(HttpOptions value) {
    this.options = value;
    return this;
  }

  /** Says that the filter is behind Spring Security's; its place is looked at when it starts. */
  public ReactiveRequestsBuilder behindSecurity() {
    this.place = SecurityPlace.BEHIND;
    return this;
  }

  /** Sets the order of the filter; by default 10, which is behind Spring Security's -100. */
  public ReactiveRequestsBuilder filterOrder(int value) {
    this.filterOrder = value;
    return this;
  }

  /** Sets how many threads ask stores; by default {@value #DEFAULT_THREADS}. */
  public ReactiveRequestsBuilder threads(int value) {
    if (value < 1 || value > THREADS_MAX) {
      throw new IllegalArgumentException("threads: was " + value + ", must be 1 to " + THREADS_MAX);
    }
    this.threads = value;
    return this;
  }

  /** Sets who knows tenants; by default there are none. */
  public ReactiveRequestsBuilder tenants(ReactiveTenantResolver value) {
    this.tenants = value;
    return this;
  }

  /** Sets who knows callers; by default Spring Security, through the request. */
  public ReactiveRequestsBuilder callers(ReactiveCallerResolver value) {
    this.callers = value;
    return this;
  }

  /** Adds somebody that operations can name to make the answer of a repeated request. */
  public ReactiveRequestsBuilder onReplay(String name, OnReplay value) {
    this.onReplay.put(name, value);
    return this;
  }

  /** Sets where responses go that are too large for the record of their key. */
  public ReactiveRequestsBuilder largeResults(LargeResults value) {
    this.largeResults = value;
    return this;
  }

  /** Adds somebody to be told how requests were treated. */
  public ReactiveRequestsBuilder listener(HttpListener value) {
    this.listeners.add(value);
    return this;
  }

  /**
   * Lets tokens be issued.
   *
   * @param value how
   * @param store the deduplicator's; remembers tokens that are not signed
   */
  public ReactiveRequestsBuilder tokens(TokenOptions value, ClaimStore store) {
    this.tokenOptions = value;
    this.tokenStore = store;
    return this;
  }

  /** Sets the clock of the process; by default the JVM's. */
  public ReactiveRequestsBuilder clock(ProcessClock value) {
    this.clock = value;
    return this;
  }

  /**
   * Returns the parts.
   *
   * @throws IllegalArgumentException if something does not go together
   */
  public ReactiveIdempotentRequests build() {
    return new ReactiveIdempotentRequests(this);
  }

  Deduplicator deduplicator() {
    return deduplicator;
  }

  HttpOptions options() {
    return options;
  }

  SecurityPlace place() {
    return place;
  }

  int threads() {
    return threads;
  }

  int filterOrder() {
    return filterOrder;
  }

  ProcessClock clock() {
    return clock;
  }

  List<HttpListener> listeners() {
    return listeners;
  }

  Map<String, OnReplay> onReplay() {
    return onReplay;
  }

  ReactiveTenantResolver tenantResolver() {
    return tenants;
  }

  ResultCodec<StoredResponse> codec() {
    return largeResults == null
        ? StoredResponseForm.INSTANCE
        : largeResults.around(StoredResponseForm.INSTANCE);
  }

  ReactiveCallerResolver callerResolver() {
    if (callers != null) {
      return callers;
    }
    ReactiveTenantResolver known = tenants;
    Function<Principal, @Nullable String> clients = KnownCaller.clients();
    return (exchange, scope) ->
        Mono.zip(
                exchange.getPrincipal().map(Optional::of).defaultIfEmpty(Optional.empty()),
                known.tenantOf(exchange))
            .map(who -> KnownCaller.of(scope, who.getT1().orElse(null), who::getT2, clients));
  }

  @Nullable Tokens issuedTokens() {
    TokenOptions wanted = tokenOptions;
    return wanted == null || tokenStore == null
        ? null
        : Tokens.of(wanted, tokenStore, options, clock);
  }

  String tokenPath() {
    return tokenOptions == null ? TokenOptions.DEFAULT_PATH : tokenOptions.path();
  }
}
