// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.AnswerOptions;
import io.dedup.http.ClientKeyLimits;
import io.dedup.http.HttpOptions;
import io.dedup.http.OutgoingKeys;
import io.dedup.http.RequestLimits;
import io.dedup.http.ResponseLimits;
import io.dedup.http.TokenOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.util.unit.DataSize;

/** Makes the adapter's options from properties, and refuses what cannot be. */
final class HttpSettings {

  private static final String PREFIX = "dedup.http.";

  private HttpSettings() {}

  /**
   * Returns the options.
   *
   * @throws ConfigurationRefused if a property cannot be
   */
  static HttpOptions options(HttpProperties http) {
    return refusing(PREFIX, () -> unchecked(http));
  }

  private static HttpOptions unchecked(HttpProperties http) {
    HttpOptions base =
        HttpOptions.of(
            o ->
                o.policy(
                    p ->
                        p.lease(http.lease())
                            .ttl(http.retention())
                            .maxProcessing(http.maxProcessing())
                            .onLeaseExpired(http.onLeaseExpired())));
    return new HttpOptions(
        http.header(),
        http.methods(),
        http.include(),
        http.exclude(),
        http.required(),
        new ClientKeyLimits(http.key().minLength(), http.key().maxLength(), http.key().format()),
        http.namespace(),
        http.keyPerOperation(),
        http.scope(),
        http.anonymous(),
        base.policy(),
        http.concurrent(),
        http.waitFor(),
        http.onStoreFailure(),
        new RequestLimits(
            bytes("request.max-body", http.request().maxBody()),
            bytes("request.spool-threshold", http.request().spoolThreshold())),
        new ResponseLimits(
            bytes("response.max-body", http.response().maxBody()), http.response().headers()),
        answers(http));
  }

  private static AnswerOptions answers(HttpProperties http) {
    return new AnswerOptions(
        http.status().inProgress(),
        http.status().mismatch(),
        http.headers().replayed(),
        http.headers().status(),
        http.headers().echoKey(),
        http.cors().exposeHeaders(),
        http.problemBaseUri(),
        http.retryAfterMax());
  }

  private static int bytes(String name, DataSize size) {
    if (size.toBytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + ": was " + size + ", must be below 2GB");
    }
    return (int) size.toBytes();
  }

  /**
   * Returns how tokens are issued.
   *
   * @throws ConfigurationRefused if a property cannot be
   */
  static TokenOptions tokens(HttpProperties.Token token) {
    Map<String, byte[]> secrets = new HashMap<>();
    token.secrets().forEach((kid, text) -> secrets.put(kid, text.getBytes(StandardCharsets.UTF_8)));
    return refusing(
        PREFIX,
        () ->
            new TokenOptions(token.kind(), token.path(), token.ttl(), token.activeKid(), secrets));
  }

  /**
   * Returns to whom keys are sent.
   *
   * @throws ConfigurationRefused if a property cannot be
   */
  static OutgoingKeys outgoing(HttpProperties.Outgoing outgoing) {
    return refusing(
        PREFIX + "outgoing.", () -> new OutgoingKeys(outgoing.hosts(), outgoing.header()));
  }

  /** What the library calls ttl is the retention here. */
  static <T> T refusing(String prefix, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      String renamed = message.startsWith("ttl: ") ? "retention" + message.substring(3) : message;
      throw ConfigurationRefused.property(prefix + renamed, "", e);
    }
  }
}
