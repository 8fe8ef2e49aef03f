// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Collects changes to {@link HttpOptions}. */
public final class HttpOptionsBuilder {

  private String header;
  private Set<String> methods;
  private List<String> include;
  private List<String> exclude;
  private boolean required;
  private ClientKeyLimits key;
  private String namespace;
  private boolean keyPerOperation;
  private KeyScope scope;
  private AnonymousCallers anonymous;
  private Policy policy;
  private Concurrent concurrent;
  private Duration waitFor;
  private OnStoreFailure onStoreFailure;
  private RequestLimits request;
  private ResponseLimits response;
  private AnswerOptions answers;

  HttpOptionsBuilder(HttpOptions base) {
    this.header = base.header();
    this.methods = base.methods();
    this.include = base.include();
    this.exclude = base.exclude();
    this.required = base.required();
    this.key = base.key();
    this.namespace = base.namespace();
    this.keyPerOperation = base.keyPerOperation();
    this.scope = base.scope();
    this.anonymous = base.anonymous();
    this.policy = base.policy();
    this.concurrent = base.concurrent();
    this.waitFor = base.waitFor();
    this.onStoreFailure = base.onStoreFailure();
    this.request = base.request();
    this.response = base.response();
    this.answers = base.answers();
  }

  /** Sets the request header with the client's key; by default {@code Idempotency-Key}. */
  public HttpOptionsBuilder header(String name) {
    this.header = name;
    return this;
  }

  /** Sets the methods that are guarded; by default POST and PATCH. */
  public HttpOptionsBuilder methods(Set<String> values) {
    this.methods = values;
    return this;
  }

  /** Sets the path patterns of handlers that are guarded without an annotation; none by default. */
  public HttpOptionsBuilder include(List<String> patterns) {
    this.include = patterns;
    return this;
  }

  /** Sets the path patterns of handlers that are never guarded; none by default. */
  public HttpOptionsBuilder exclude(List<String> patterns) {
    this.exclude = patterns;
    return this;
  }

  /** Sets whether a request without a key is refused; by default it runs unguarded. */
  public HttpOptionsBuilder required(boolean value) {
    this.required = value;
    return this;
  }

  /** Sets which keys are accepted; by default 16 to 255 visible characters. */
  public HttpOptionsBuilder key(int minLength, int maxLength, ClientKeyFormat format) {
    this.key = new ClientKeyLimits(minLength, maxLength, format);
    return this;
  }

  /** Sets what tells applications apart that share a store; by default empty. */
  public HttpOptionsBuilder namespace(String value) {
    this.namespace = value;
    return this;
  }

  /** Sets whether one key may be used for each operation; by default true. */
  public HttpOptionsBuilder keyPerOperation(boolean value) {
    this.keyPerOperation = value;
    return this;
  }

  /** Sets who shares keys; by default nobody but a principal's own requests. */
  public HttpOptionsBuilder scope(KeyScope value) {
    this.scope = value;
    return this;
  }

  /** Sets what happens to callers who are not known; by default they are guarded. */
  public HttpOptionsBuilder anonymous(AnonymousCallers value) {
    this.anonymous = value;
    return this;
  }

  /** Changes lease, retention (the ttl) and what becomes of lost workers. */
  public HttpOptionsBuilder policy(UnaryOperator<Policy.Builder> changes) {
    this.policy = policy.with(changes);
    return this;
  }

  /** Sets what a request gets while another with its key is worked on; by default a refusal. */
  public HttpOptionsBuilder concurrent(Concurrent value) {
    this.concurrent = value;
    return this;
  }

  /** Sets how long {@link Concurrent#WAIT} waits; by default 5 s. */
  public HttpOptionsBuilder waitFor(Duration value) {
    this.waitFor = value;
    return this;
  }

  /** Sets what happens when the store is down; by default requests with a key are refused. */
  public HttpOptionsBuilder onStoreFailure(OnStoreFailure value) {
    this.onStoreFailure = value;
    return this;
  }

  /** Sets the limits of requests, in bytes; by default 1 MiB, in memory up to 64 KiB. */
  public HttpOptionsBuilder request(int maxBody, int spoolThreshold) {
    this.request = new RequestLimits(maxBody, spoolThreshold);
    return this;
  }

  /** Sets the largest response body that is stored, in bytes; by default 256 KiB. */
  public HttpOptionsBuilder responseMaxBody(int bytes) {
    this.response = new ResponseLimits(bytes, response.headers());
    return this;
  }

  /** Sets the response headers that are stored. */
  public HttpOptionsBuilder responseHeaders(List<String> names) {
    this.response = new ResponseLimits(response.maxBody(), names);
    return this;
  }

  /** Changes how our own answers look. */
  public HttpOptionsBuilder answers(UnaryOperator<AnswerOptions> changes) {
    this.answers = changes.apply(answers);
    return this;
  }

  HttpOptions build() {
    return new HttpOptions(
        header,
        methods,
        include,
        exclude,
        required,
        key,
        namespace,
        keyPerOperation,
        scope,
        anonymous,
        policy,
        concurrent,
        waitFor,
        onStoreFailure,
        request,
        response,
        answers);
  }
}
