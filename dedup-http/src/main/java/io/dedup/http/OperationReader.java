// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Policy;
import io.dedup.claim.OnLeaseExpired;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads annotations, and refuses those that are wrong. Thread-safe. */
final class OperationReader {

  private final HttpOptions options;
  private final Map<String, OnReplay> onReplay;
  private final boolean issuesTokens;

  OperationReader(HttpOptions options, Map<String, OnReplay> onReplay, @Nullable Tokens tokens) {
    this.options = options;
    this.onReplay = Map.copyOf(onReplay);
    this.issuesTokens = tokens != null;
  }

  /** Returns how a handler without an annotation is guarded. */
  Operation unannotated() {
    return read(Defaults.class.getAnnotation(IdempotentRequest.class));
  }

  /**
   * Reads an annotation.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  Operation read(IdempotentRequest a) {
    checkTogether(a);
    Concurrent concurrent = one("concurrent", a.concurrent(), options.concurrent());
    Duration wait = duration("wait-for", a.waitFor(), options.waitFor());
    Duration failureTtl = duration("failure-ttl", a.failureTtl(), Duration.ZERO);
    Refused.ifNegative("wait-for", wait);
    if (concurrent == Concurrent.WAIT && wait.isZero()) {
      throw new IllegalArgumentException(
          "wait-for: was PT0S, must be > PT0S where concurrent is WAIT");
    }
    return new Operation(
        a.operation(),
        required(a),
        a.sharedScope().isEmpty() ? one("scope", a.scope(), options.scope()) : KeyScope.GLOBAL,
        a.sharedScope(),
        a.keySource(),
        a.keySource() == KeySource.HEADER ? null : RequestExpression.parse("key", a.key()),
        policy(a, failureTtl),
        concurrent == Concurrent.WAIT ? wait : Duration.ZERO,
        a.replay(),
        hook(a),
        one("on-store-failure", a.onStoreFailure(), options.onStoreFailure()),
        one("anonymous", a.anonymous(), options.anonymous()),
        a.claimPoint(),
        body(a),
        a.issuedToken(),
        rules(a),
        failureTtl);
  }

  private void checkTogether(IdempotentRequest a) {
    if (a.keySource() == KeySource.HEADER && !a.key().isEmpty()) {
      throw new IllegalArgumentException(
          "key: was '" + a.key() + "', must be empty where key-source is HEADER");
    }
    if (!a.sharedScope().isEmpty() && a.scope().length > 0) {
      throw new IllegalArgumentException(
          "scope: was " + a.scope()[0] + ", must not be set beside shared-scope");
    }
    if (a.issuedToken() && (!issuesTokens || a.keySource() != KeySource.HEADER)) {
      throw new IllegalArgumentException(
          "issued-token: was true, must be false without tokens, and where key-source is "
              + a.keySource());
    }
    if (a.issuedToken() && !a.sharedScope().isEmpty()) {
      throw new IllegalArgumentException(
          "issued-token: was true, must be false beside shared-scope: a token is one caller's own");
    }
    if (a.operation().length() > 200) {
      throw new IllegalArgumentException(
          "operation: was " + a.operation().length() + " characters, must be at most 200");
    }
  }

  private boolean required(IdempotentRequest a) {
    if (a.required().length > 1) {
      throw new IllegalArgumentException(
          "required: was " + Arrays.toString(a.required()) + ", must be one value");
    }
    // An operation that asks for tokens has no use for requests without.
    return a.required().length == 0 ? options.required() || a.issuedToken() : a.required()[0];
  }

  private Policy policy(IdempotentRequest a, Duration failureTtl) {
    Policy base = options.policy();
    OnLeaseExpired lost = one("on-lease-expired", a.onLeaseExpired(), base.onLeaseExpired());
    return base.with(
        p ->
            p.ttl(duration("retention", a.retention(), base.ttl()))
                .lease(duration("lease", a.lease(), base.lease()))
                .maxProcessing(duration("max-processing", a.maxProcessing(), base.maxProcessing()))
                .onLeaseExpired(lost)
                .failedBackOff(failureTtl)
                .failedTtl(longer(failureTtl, base.failedTtl())));
  }

  private @Nullable OnReplay hook(IdempotentRequest a) {
    if (a.onReplay().isEmpty()) {
      if (a.replay() == Replay.REBUILD) {
        throw new IllegalArgumentException("on-replay: was empty, must be named for REBUILD");
      }
      return null;
    }
    OnReplay hook = onReplay.get(a.onReplay());
    if (hook == null) {
      throw new IllegalArgumentException(
          "on-replay: was " + a.onReplay() + ", must be one of " + onReplay.keySet());
    }
    return hook;
  }

  private static Operation.BodyRule body(IdempotentRequest a) {
    List<String> fields = List.of(a.fields());
    if (fields.isEmpty() == (a.fingerprint() == BodyFingerprint.FIELDS)) {
      throw new IllegalArgumentException(
          "fields: was " + fields + ", must be there for FIELDS, and for FIELDS alone");
    }
    Set<String> ignored = new HashSet<>(List.of(a.ignore()));
    for (String pointer : ignored) {
      if (!pointer.startsWith("/")) {
        throw new IllegalArgumentException(
            "ignore: was '" + pointer + "', must be a JSON pointer, which begins with /");
      }
    }
    if (!ignored.isEmpty() && a.fingerprint() != BodyFingerprint.CANONICAL) {
      throw new IllegalArgumentException(
          "ignore: was " + ignored + ", must be empty where fingerprint is " + a.fingerprint());
    }
    List<String> headers = List.of(a.fingerprintHeaders());
    headers.forEach(name -> Refused.unlessHeaderName("fingerprint-headers", name));
    return new Operation.BodyRule(
        a.fingerprint(),
        fields.stream().map(text -> RequestExpression.parse("fields", text)).toList(),
        ignored,
        headers,
        RequestFingerprint.algorithm(a.fingerprint(), fields, ignored, headers));
  }

  private static ResultRules rules(IdempotentRequest a) {
    return new ResultRules(
        statuses(a.replayStatuses()),
        statuses(a.releaseStatuses()),
        List.of(a.keepOn()),
        List.of(a.releaseOn()));
  }

  private static Set<Integer> statuses(int[] values) {
    return Arrays.stream(values).boxed().collect(Collectors.toSet());
  }

  private static <T> T one(String name, T[] values, T otherwise) {
    if (values.length > 1) {
      throw new IllegalArgumentException(
          name + ": was " + Arrays.toString(values) + ", must be one value");
    }
    return values.length == 0 ? otherwise : values[0];
  }

  private static Duration duration(String name, String text, Duration otherwise) {
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return DurationFormatterUtils.detectAndParse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + ": was '" + text + "', must be a duration such as 30s or PT30S", e);
    }
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** Says nothing, so that all is as the options have it. */
  @IdempotentRequest
  private static final class Defaults {}
}
