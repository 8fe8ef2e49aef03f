// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.OnLeaseExpired;
import io.dedup.http.AnonymousCallers;
import io.dedup.http.ClientKeyFormat;
import io.dedup.http.Concurrent;
import io.dedup.http.KeyScope;
import io.dedup.http.OnStoreFailure;
import io.dedup.http.TokenOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How HTTP requests are guarded, unless their annotation says otherwise.
 *
 * @param enabled whether requests are guarded at all
 * @param header the request header with the client's key
 * @param methods the methods that are guarded: some of POST, PUT, PATCH and DELETE
 * @param include path patterns of handlers that are guarded without an annotation
 * @param exclude path patterns of handlers that are never guarded
 * @param required whether a request without a key is refused
 * @param key which keys are accepted
 * @param namespace tells applications apart that share a store
 * @param keyPerOperation whether one key may be used for each operation; if not, its use for a
 *     second one is refused
 * @param scope who shares keys: principal, client, tenant or global
 * @param anonymous what happens to callers who are not known: allow, reject or bypass
 * @param filterOrder the order of the filter, which must be behind Spring Security's
 * @param threads how many threads ask the store in a WebFlux application: 1 to 1000
 * @param retention how long an answer is kept and its key known as done
 * @param lease how long a key is blocked at most after its process died
 * @param maxProcessing how long a handler may run before its lease is renewed no more
 * @param onLeaseExpired what happens to a key whose worker was lost: rerun, or hold, which is
 *     recommended for money
 * @param onStoreFailure what happens while the store is down: fail-closed or fail-open
 * @param concurrent what a request gets while another with its key is worked on: fail-fast or wait
 * @param waitFor how long wait waits
 * @param retryAfterMax the longest wait that is advised to clients
 * @param status the statuses of our own answers
 * @param request limits of requests
 * @param response limits of stored responses
 * @param problemBaseUri where problems are explained; nowhere by default
 * @param headers the response headers
 * @param cors what scripts of other origins may see
 * @param token the token endpoint
 * @param outgoing keys for the calls that handlers make
 */
public record HttpProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("Idempotency-Key") String header,
    @DefaultValue({"POST", "PATCH"}) Set<String> methods,
    @DefaultValue List<String> include,
    @DefaultValue List<String> exclude,
    @DefaultValue("false") boolean required,
    @DefaultValue Key key,
    @DefaultValue("") String namespace,
    @DefaultValue("true") boolean keyPerOperation,
    @DefaultValue("principal") KeyScope scope,
    @DefaultValue("allow") AnonymousCallers anonymous,
    @DefaultValue("10") int filterOrder,
    @DefaultValue("32") int threads,
    @DefaultValue("24h") Duration retention,
    @DefaultValue("30s") Duration lease,
    @DefaultValue("10m") Duration maxProcessing,
    @DefaultValue("rerun") OnLeaseExpired onLeaseExpired,
    @DefaultValue("fail-closed") OnStoreFailure onStoreFailure,
    @DefaultValue("fail-fast") Concurrent concurrent,
    @DefaultValue("5s") Duration waitFor,
    @DefaultValue("5s") Duration retryAfterMax,
    @DefaultValue Status status,
    @DefaultValue Request request,
    @DefaultValue Response response,
    @Nullable String problemBaseUri,
    @DefaultValue Headers headers,
    @DefaultValue Cors cors,
    @DefaultValue Token token,
    @DefaultValue Outgoing outgoing) {

  /**
   * Which keys are accepted.
   *
   * @param minLength the shortest key, in characters
   * @param maxLength the longest key, in characters: at most 255
   * @param format which texts: any, or uuid
   */
  public record Key(
      @DefaultValue("16") int minLength,
      @DefaultValue("255") int maxLength,
      @DefaultValue("any") ClientKeyFormat format) {}

  /**
   * The statuses of our own answers.
   *
   * @param inProgress while the first request runs: one of 4xx, or 202
   * @param mismatch for a key that was used with another request: one of 4xx
   */
  public record Status(@DefaultValue("409") int inProgress, @DefaultValue("422") int mismatch) {}

  /**
   * Limits of requests.
   *
   * @param maxBody the largest body of a request with a key
   * @param spoolThreshold from which size on a body is kept in a temporary file
   */
  public record Request(
      @DefaultValue("1MB") DataSize maxBody, @DefaultValue("64KB") DataSize spoolThreshold) {}

  /**
   * Limits of stored responses.
   *
   * @param maxBody the largest body that is stored; a larger one is sent, and not replayed
   * @param headers the headers that are stored, if the application sets them
   */
  public record Response(
      @DefaultValue("256KB") DataSize maxBody,
      @DefaultValue({
            "Content-Type",
            "Content-Language",
            "Content-Location",
            "Location",
            "ETag",
            "Last-Modified",
            "Link"
          })
          List<String> headers) {}

  /**
   * The response headers.
   *
   * @param replayed the name of the header that is true on a replay
   * @param status the name of the header that says how a request was treated
   * @param echoKey whether the key is sent back with the answers of handlers
   */
  public record Headers(
      @DefaultValue("Idempotent-Replayed") String replayed,
      @DefaultValue("Idempotency-Status") String status,
      @DefaultValue("false") boolean echoKey) {}

  /**
   * What scripts of other origins may see.
   *
   * @param exposeHeaders whether they may read our response headers
   */
  public record Cors(@DefaultValue("true") boolean exposeHeaders) {}

  /**
   * The token endpoint.
   *
   * @param enabled whether there is one
   * @param kind where tokens are remembered: stored, or signed (in the token itself)
   * @param path of the endpoint
   * @param ttl how long a token can be used first
   * @param activeKid names the secret that signs
   * @param secrets by name: the secret that signs, and those that signed until now; at least 32
   *     bytes each
   */
  public record Token(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("stored") TokenOptions.Kind kind,
      @DefaultValue(TokenOptions.DEFAULT_PATH) String path,
      @DefaultValue("15m") Duration ttl,
      @DefaultValue("") String activeKid,
      @DefaultValue Map<String, String> secrets) {

    /** The secrets stay out of logs. */
    @Override
    public String toString() {
      return "Token[enabled=" + enabled + ", kind=" + kind + ", secrets=" + secrets.keySet() + "]";
    }
  }

  /**
   * Keys for the calls that handlers make.
   *
   * @param hosts to which keys are sent, with or without a port; none by default
   * @param header the request header of those keys
   */
  public record Outgoing(
      @DefaultValue Set<String> hosts, @DefaultValue("Idempotency-Key") String header) {}
}
