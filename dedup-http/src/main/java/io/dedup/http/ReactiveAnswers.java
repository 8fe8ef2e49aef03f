// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes answers of a WebFlux application. Thread-safe. */
final class ReactiveAnswers {

  private final HttpOptions options;
  private final AnswerOptions answers;
  private final AnswerFields fields;

  ReactiveAnswers(HttpOptions options) {
    this.options = options;
    this.answers = options.answers();
    this.fields = new AnswerFields(answers);
  }

  /** Writes an answer that takes the handler's place. */
  Mono<Void> write(Answer answer, ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    HttpHeaders headers = response.getHeaders();
    if (answer instanceof Answer.Refuse refuse) {
      Problem problem = refuse.problem();
      fields.of(problem).forEach(headers::set);
      expose(exchange);
      headers.setContentType(MediaType.parseMediaType(Problem.CONTENT_TYPE));
      response.setStatusCode(HttpStatusCode.valueOf(problem.status(answers)));
      return body(response, problem.json(answers));
    }
    fields.ofRepetition().forEach(headers::set);
    expose(exchange);
    echo(exchange);
    if (answer instanceof Answer.Rebuild rebuild) {
      response.setStatusCode(HttpStatusCode.valueOf(rebuild.response().status()));
      headers.set(HttpHeaders.CONTENT_TYPE, rebuild.response().contentType());
      return body(response, rebuild.response().body());
    }
    return repeat(((Answer.Repeat) answer).response(), response);
  }

  private static Mono<Void> repeat(StoredResponse stored, ServerHttpResponse response) {
    HttpHeaders headers = response.getHeaders();
    stored.headers().forEach(field -> headers.remove(field.name()));
    stored.headers().forEach(field -> headers.add(field.name(), field.value()));
    if (stored.kind() == StoredResponse.Kind.ERROR) {
      // Its page is made again by whoever made it.
      return Mono.error(
          new ResponseStatusException(HttpStatusCode.valueOf(stored.status()), stored.message()));
    }
    response.setStatusCode(HttpStatusCode.valueOf(stored.status()));
    return body(response, stored.body());
  }

  private static Mono<Void> body(ServerHttpResponse response, byte[] bytes) {
    if (bytes.length == 0) {
      return response.setComplete();
    }
    response.getHeaders().setContentLength(bytes.length);
    return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
  }

  /** Sets the headers of an answer that the handler gives, unless it is on its way already. */
  void handled(String status, ServerWebExchange exchange) {
    ServerHttpResponse original = exchange.getResponse();
    if (original instanceof CollectedResponse ours && ours.getDelegate().isCommitted()) {
      return;
    }
    original.getHeaders().set(answers.statusHeader(), status);
    expose(exchange);
    echo(exchange);
  }

  private void expose(ServerWebExchange exchange) {
    if (answers.exposeHeaders() && exchange.getRequest().getHeaders().getOrigin() != null) {
      exchange.getResponse().getHeaders().add("Access-Control-Expose-Headers", fields.exposed());
    }
  }

  private void echo(ServerWebExchange exchange) {
    String key = exchange.getRequest().getHeaders().getFirst(options.header());
    if (answers.echoKey() && key != null) {
      exchange.getResponse().getHeaders().set(options.header(), key);
    }
  }

  /** Whether Spring Security is to be asked for the way to authenticate. */
  static boolean isUnknownCaller(Answer answer) {
    return answer instanceof Answer.Refuse refuse
        && refuse.problem().code() == ProblemCode.CALLER_UNKNOWN;
  }
}
