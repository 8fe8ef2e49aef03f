// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

  /**
   * Which keys of clients are accepted.
   *
   * @param minLength the shortest, in characters; at least 1
   * @param maxLength the longest, in characters; at most {@value #LENGTH_MAX}
   * @param format which texts
   */
  public record ClientKeyLimits(int minLength, int maxLength, ClientKeyFormat format) {
    /** The longest key that can be allowed, in characters. */
    public static final int LENGTH_MAX = 255;

    /** Checks the lengths. */
    public ClientKeyLimits {
      if (minLength < 1 || minLength > maxLength || maxLength > LENGTH_MAX) {
        throw new IllegalArgumentException(
            "key: was "
                + minLength
                + " to "
                + maxLength
                + " characters, must be within 1 to "
                + LENGTH_MAX);
      }
    }

    static ClientKeyLimits defaults() {
      return new ClientKeyLimits(16, LENGTH_MAX, ClientKeyFormat.ANY);
    }
  }

  /**
   * Limits of guarded requests.
   *
   * @param maxBody the largest body, in bytes
   * @param spoolThreshold from how many bytes on a body is kept in a temporary file
   */
  public record RequestLimits(int maxBody, int spoolThreshold) {
    /** Checks the limits. */
    public RequestLimits {
      Refused.unlessPositive("request.max-body", maxBody);
      Refused.unlessPositive("request.spool-threshold", spoolThreshold);
    }

    static RequestLimits defaults() {
      return new RequestLimits(1 << 20, 64 << 10);
    }
  }

  /**
   * Limits of stored responses.
   *
   * @param maxBody the largest body that is stored, in bytes; a response with a larger one is sent,
   *     and not replayed
   * @param headers the headers that are stored
   */
  public record ResponseLimits(int maxBody, List<String> headers) {
    /** What is one caller's own, is made by others, or is made anew. */
    private static final Set<String> NEVER =
        new TreeSet<>(
            Set.of(
                "set-cookie",
                "set-cookie2",
                "authorization",
                "www-authenticate",
                "proxy-authenticate",
                "content-length",
                "transfer-encoding",
                "connection",
                "date"));

    /** Checks both parts. */
    public ResponseLimits {
      Refused.unlessPositive("response.max-body", maxBody);
      headers = List.copyOf(headers);
      for (String name : headers) {
        Refused.unlessHeaderName("response.headers", name);
        if (NEVER.contains(name.toLowerCase(Locale.ROOT))) {
          throw new IllegalArgumentException(
              "response.headers: was " + name + ", must be none of " + NEVER);
        }
      }
    }

    static ResponseLimits defaults() {
      return new ResponseLimits(
          256 << 10,
          List.of(
              "Content-Type",
              "Content-Language",
              "Content-Location",
              "Location",
              "ETag",
              "Last-Modified",
              "Link"));
    }
  }

  /**
   * How our own answers look.
   *
   * @param inProgressStatus the status while the first request runs: 409, or another of 4xx, or 202
   * @param mismatchStatus the status for a key used with another request: 422, or another of 4xx
   * @param replayedHeader the response header that is true on a replay
   * @param statusHeader the response header that says how a request was treated
   * @param echoKey whether the key is sent back with the answers of handlers
   * @param exposeHeaders whether scripts of other origins may read our headers
   * @param problemBaseUri where problems are explained, null for nowhere
   * @param retryAfterMax the longest wait that is advised to clients
   */
  public record AnswerOptions(
      int inProgressStatus,
      int mismatchStatus,
      String replayedHeader,
      String statusHeader,
      boolean echoKey,
      boolean exposeHeaders,
      @Nullable String problemBaseUri,
      Duration retryAfterMax) {

    /** Checks each part. */
    public AnswerOptions {
      Refused.unless4xx("status.mismatch", mismatchStatus);
      if (inProgressStatus != 202) {
        Refused.unless4xx("status.in-progress", inProgressStatus);
      }
      Refused.unlessHeaderName("headers.replayed", replayedHeader);
      Refused.unlessHeaderName("headers.status", statusHeader);
      if (retryAfterMax.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "retry-after-max: was " + retryAfterMax + ", must be at least PT1S");
      }
      if (problemBaseUri != null) {
        Refused.unlessUri("problem-base-uri", problemBaseUri);
      }
    }

    static AnswerOptions defaults() {
      return new AnswerOptions(
          409,
          422,
          "Idempotent-Replayed",
          "Idempotency-Status",
          false,
          true,
          null,
          Duration.ofSeconds(5));
    }

    /** Returns these options with another place where problems are explained. */
    public AnswerOptions withProblemBaseUri(@Nullable String uri) {
      return new AnswerOptions(
          inProgressStatus,
          mismatchStatus,
          replayedHeader,
          statusHeader,
          echoKey,
          exposeHeaders,
          uri,
          retryAfterMax);
    }

    /** Returns these options with other statuses. */
    public AnswerOptions withStatuses(int inProgress, int mismatch) {
      return new AnswerOptions(
          inProgress,
          mismatch,
          replayedHeader,
          statusHeader,
          echoKey,
          exposeHeaders,
          problemBaseUri,
          retryAfterMax);
    }

    /** Returns these options, with the key sent back or not. */
    public AnswerOptions withEchoKey(boolean value) {
      return new AnswerOptions(
          inProgressStatus,
          mismatchStatus,
          replayedHeader,
          statusHeader,
          value,
          exposeHeaders,
          problemBaseUri,
          retryAfterMax);
    }
  }
}
