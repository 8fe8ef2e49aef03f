// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Tells a client why its request was not handled (RFC 9457). Says neither the key nor who else may
 * have used it.
 *
 * @param code why
 * @param detail for people
 * @param retryAfter when to come again, null for no advice
 * @param originalStatus the status of the response that cannot be repeated, null if there is none
 * @param location where its result is, null if that is not known
 */
record Problem(
    ProblemCode code,
    String detail,
    @Nullable Duration retryAfter,
    @Nullable Integer originalStatus,
    @Nullable String location) {

  static final String CONTENT_TYPE = "application/problem+json";

  private static final JsonFactory JSON = new JsonFactory();

  static Problem of(ProblemCode code) {
    return new Problem(code, code.detail(), null, null, null);
  }

  static Problem of(ProblemCode code, String why) {
    return new Problem(code, code.detail() + " " + why, null, null, null);
  }

  static Problem retryAfter(ProblemCode code, Duration wait) {
    return new Problem(code, code.detail(), wait, null, null);
  }

  /** Returns the status, which two codes let be configured. */
  int status(AnswerOptions options) {
    return switch (code) {
      case IN_PROGRESS -> options.inProgressStatus();
      case KEY_REUSED -> options.mismatchStatus();
      default -> code.status();
    };
  }

  /** Returns the value of the header that tells our answers from the application's. */
  String idempotencyStatus() {
    return code == ProblemCode.KEY_REUSED ? "mismatch" : code.code();
  }

  /** Returns whole seconds, at least one: a client that comes at once meets the same answer. */
  static long seconds(Duration wait) {
    return Math.max(1, (wait.toMillis() + 999) / 1000);
  }

  byte[] json(AnswerOptions options) {
    String base = options.problemBaseUri();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty(
          "type", base == null ? "urn:dedup:problem:" + code.code() : base + "#" + code.code());
      json.writeStringProperty("title", code.title());
      json.writeNumberProperty("status", status(options));
      json.writeStringProperty("detail", detail);
      json.writeStringProperty("code", code.code());
      json.writeBooleanProperty("retryable", code.retryable());
      json.writeStringProperty("keyAction", code.keyAction().name());
      if (originalStatus != null) {
        json.writeNumberProperty("originalStatus", originalStatus);
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }
}
