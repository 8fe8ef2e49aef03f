// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * How requests are guarded unless their {@link IdempotentRequest} says otherwise. Immutable;
 * refused when wrong.
 *
 * @param header the request header with the client's key
 * @param methods the methods that are guarded, a subset of POST, PUT, PATCH and DELETE
 * @param include path patterns of handlers that are guarded without an annotation
 * @param exclude path patterns of handlers that are never guarded
 * @param required whether a request without a key is refused
 * @param key which keys are accepted
 * @param namespace tells applications apart that share a store
 * @param keyPerOperation whether one key may be used for each operation; if not, its use for a
 *     second one is refused as another request
 * @param scope who shares keys
 * @param anonymous what happens to callers who are not known
 * @param policy lease, retention (its ttl), and what becomes of lost workers
 * @param concurrent what a request gets while another with its key is worked on
 * @param waitFor how long {@link Concurrent#WAIT} waits
 * @param onStoreFailure what happens when the store is down
 * @param request limits of requests
 * @param response limits of responses
 * @param answers how our own answers look
 */
public record HttpOptions(
    String header,
    Set<String> methods,
    List<String> include,
    List<String> exclude,
    boolean required,
    ClientKeyLimits key,
    String namespace,
    boolean keyPerOperation,
    KeyScope scope,
    AnonymousCallers anonymous,
    Policy policy,
    Concurrent concurrent,
    Duration waitFor,
    OnStoreFailure onStoreFailure,
    RequestLimits request,
    ResponseLimits response,
    AnswerOptions answers) {

  /** The methods that can be guarded: the others have no effect that could happen twice. */
  public static final Set<String> GUARDABLE = Set.of("POST", "PUT", "PATCH", "DELETE");

  private static final HttpOptions DEFAULTS =
      new HttpOptions(
          "Idempotency-Key",
          Set.of("POST", "PATCH"),
          List.of(),
          List.of(),
          false,
          ClientKeyLimits.defaults(),
          "",
          true,
          KeyScope.PRINCIPAL,
          AnonymousCallers.ALLOW,
          // No limit of attempts: here nobody has a dead-letter topic to look into.
          Policy.of(p -> p.ttl(Duration.ofHours(24)).maxAttempts(Integer.MAX_VALUE)),
          Concurrent.FAIL_FAST,
          Duration.ofSeconds(5),
          OnStoreFailure.FAIL_CLOSED,
          RequestLimits.defaults(),
          ResponseLimits.defaults(),
          AnswerOptions.defaults());

  /**
   * Checks each part.
   *
   * @throws IllegalArgumentException naming the part, what it was and what it must be
   */
  public HttpOptions {
    Refused.unlessHeaderName("header", header);
    Set<String> upper = new TreeSet<>();
    methods.forEach(m -> upper.add(m.toUpperCase(Locale.ROOT)));
    if (upper.isEmpty() || !GUARDABLE.containsAll(upper)) {
      throw new IllegalArgumentException(
          "methods: was " + upper + ", must be some of " + new TreeSet<>(GUARDABLE));
    }
    methods = Set.copyOf(upper);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    Refused.ifNegative("wait-for", waitFor);
    if (policy.inProgressWait().compareTo(Duration.ZERO) > 0) {
      throw new IllegalArgumentException(
          "in-progress-wait: was " + policy.inProgressWait() + ", must be PT0S; use wait-for");
    }
    if (concurrent == Concurrent.WAIT && waitFor.isZero()) {
      throw new IllegalArgumentException(
          "wait-for: was PT0S, must be > PT0S where concurrent is WAIT");
    }
  }

  /** Returns the defaults. */
  public static HttpOptions defaults() {
    return DEFAULTS;
  }

  /** Returns the defaults with changes. */
  public static HttpOptions of(UnaryOperator<HttpOptionsBuilder> changes) {
    return DEFAULTS.with(changes);
  }

  /** Returns these options with changes. */
  public HttpOptions with(UnaryOperator<HttpOptionsBuilder> changes) {
    return changes.apply(new HttpOptionsBuilder(this)).build();
  }
}
