// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Writes what a request gets that is not handled, and the headers of those that are. Thread-safe.
 */
final class AnswerWriter {

  private final HttpOptions options;
  private final AnswerOptions answers;
  private final AnswerFields fields;

  AnswerWriter(HttpOptions options) {
    this.options = options;
    this.answers = options.answers();
    this.fields = new AnswerFields(answers);
  }

  /** Writes an answer that takes the handler's place. */
  void write(Answer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (answer instanceof Answer.Refuse refuse) {
      refuse(refuse.problem(), request, response);
    } else if (answer instanceof Answer.Repeat repeat) {
      repeated(request, response);
      repeat(repeat.response(), response);
    } else if (answer instanceof Answer.Rebuild rebuild) {
      repeated(request, response);
      response.setStatus(rebuild.response().status());
      response.setContentType(rebuild.response().contentType());
      body(rebuild.response().body(), response);
    } else {
      throw new IllegalStateException("answer: was " + answer + ", must be one to write");
    }
  }

  private void refuse(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    fields.of(problem).forEach(response::setHeader);
    expose(request, response);
    response.setStatus(problem.status(answers));
    response.setContentType(Problem.CONTENT_TYPE);
    body(problem.json(answers), response);
  }

  private void repeated(HttpServletRequest request, HttpServletResponse response) {
    fields.ofRepetition().forEach(response::setHeader);
    expose(request, response);
    echo(request, response);
  }

  private static void repeat(StoredResponse stored, HttpServletResponse response)
      throws IOException {
    response.setStatus(stored.status());
    Set<String> set = new HashSet<>();
    for (StoredResponse.Field field : stored.headers()) {
      if (field.name().equalsIgnoreCase("Content-Type")) {
        response.setContentType(field.value());
      } else if (set.add(field.name().toLowerCase(Locale.ROOT))) {
        response.setHeader(field.name(), field.value());
      } else {
        response.addHeader(field.name(), field.value());
      }
    }
    if (stored.kind() != StoredResponse.Kind.ERROR) {
      body(stored.body(), response);
    } else if (stored.message() == null) {
      response.sendError(stored.status());
    } else {
      response.sendError(stored.status(), stored.message());
    }
  }

  private static void body(byte[] bytes, HttpServletResponse response) throws IOException {
    if (bytes.length > 0) {
      response.setContentLength(bytes.length);
      response.getOutputStream().write(bytes);
    }
  }

  /** Sets the headers of an answer that the handler gives. */
  void handled(String status, HttpServletRequest request, HttpServletResponse response) {
    response.setHeader(answers.statusHeader(), status);
    expose(request, response);
    echo(request, response);
  }

  private void expose(HttpServletRequest request, HttpServletResponse response) {
    if (answers.exposeHeaders() && request.getHeader("Origin") != null) {
      response.addHeader("Access-Control-Expose-Headers", fields.exposed());
    }
  }

  private void echo(HttpServletRequest request, HttpServletResponse response) {
    String key = request.getHeader(options.header());
    if (answers.echoKey() && key != null) {
      response.setHeader(options.header(), key);
    }
  }
}
