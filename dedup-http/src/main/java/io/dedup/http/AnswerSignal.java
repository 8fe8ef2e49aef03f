// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * Carries an answer from where a handler would have been called to who writes it. It is no failure,
 * and has no stack trace.
 */
final class AnswerSignal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Answer answer;

  AnswerSignal(Answer answer) {
    super("answered without its handler", null, false, false);
    this.answer = answer;
  }

  Answer answer() {
    return answer;
  }
}
