// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The header fields of our own answers, on every stack. Thread-safe.
 *
 * @param answers how they look
 */
record AnswerFields(AnswerOptions answers) {

  /** Returns the fields of a refusal, but for {@code Content-Type}. */
  Map<String, String> of(Problem problem) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(answers.statusHeader(), problem.idempotencyStatus());
    fields.put("Cache-Control", "no-store");
    if (problem.retryAfter() != null) {
      fields.put("Retry-After", Long.toString(Problem.seconds(problem.retryAfter())));
    }
    if (problem.location() != null) {
      fields.put("Location", problem.location());
    }
    if (answers.problemBaseUri() != null) {
      fields.put("Link", "<" + answers.problemBaseUri() + ">; rel=\"describedby\"");
    }
    return fields;
  }

  /** Returns the fields of a repeated answer. */
  Map<String, String> ofRepetition() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(answers.replayedHeader(), "true");
    fields.put("Cache-Control", "no-store");
    fields.put(answers.statusHeader(), "replayed");
    return fields;
  }

  /** Returns the value that lets scripts of other origins read our fields. */
  String exposed() {
    return answers.statusHeader() + ", " + answers.replayedHeader();
  }
}
