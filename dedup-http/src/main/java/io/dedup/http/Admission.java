// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import io.dedup.ResultCodec;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Claims the keys of prepared requests, and says whether their handlers run. Thread-safe. */
final class Admission {

  private final HttpOptions options;
  private final Gate gate;
  private final ResultCodec<StoredResponse> codec;
  private final AnswerWriter writer;
  private final Told told;

  Admission(
      HttpOptions options,
      Gate gate,
      ResultCodec<StoredResponse> codec,
      AnswerWriter writer,
      Told told) {
    this.options = options;
    this.gate = gate;
    this.codec = codec;
    this.writer = writer;
    this.told = told;
  }

  /**
   * A request whose handler was found.
   *
   * @param operation how it is guarded
   * @param name of the operation
   * @param prepared what is known of it
   */
  record Waiting(Operation operation, String name, Prepared prepared) {}

  /**
   * Lets a request in.
   *
   * @return null if its handler runs, else what it gets instead
   */
  @Nullable Answer admit(
      Waiting waiting, HttpServletRequest request, HttpServletResponse response) {
    Answer answer = answer(waiting, request);
    if (answer == null) {
      return null;
    }
    if (answer instanceof Answer.Run run) {
      RequestExchange exchange = RequestExchange.of(request);
      if (exchange == null) {
        throw new IllegalStateException("filter: was not there, must have begun the request");
      }
      exchange.begin(run.held(), new RequestExchange.Guarded(waiting.operation(), waiting.name()));
      return null;
    }
    if (answer instanceof Answer.Bypass) {
      told.tell(waiting.name(), RequestOutcome.BYPASSED);
      writer.handled("bypassed", request, response);
      return null;
    }
    told.tell(
        waiting.name(),
        answer instanceof Answer.Refuse refuse ? refuse.outcome() : RequestOutcome.REPLAYED);
    return answer;
  }

  private @Nullable Answer answer(Waiting waiting, HttpServletRequest request) {
    Prepared prepared = waiting.prepared();
    if (prepared instanceof Prepared.Unguarded) {
      return null;
    }
    if (prepared instanceof Prepared.Known known) {
      return known.answer();
    }
    Prepared.Ask ask = (Prepared.Ask) prepared;
    Operation operation = waiting.operation();
    OutcomeAnswers answers =
        new OutcomeAnswers(
            operation,
            codec,
            options.answers().retryAfterMax(),
            (status, location) -> rebuilt(operation, request, status, location),
            ask.notIssued());
    return gate.ask(operation, ask.delivery(), answers);
  }

  private static OnReplay.@Nullable Rebuilt rebuilt(
      Operation operation,
      HttpServletRequest request,
      @Nullable Integer status,
      @Nullable String location) {
    OnReplay hook = operation.onReplay();
    return hook == null
        ? null
        : hook.rebuild(
            new OnReplay.Completed(request.getMethod(), request.getRequestURI(), status, location));
  }

  /** Returns what a running handler may know of its claim, null if it has none. */
  static @Nullable DedupContext context(HttpServletRequest request) {
    RequestExchange exchange = RequestExchange.of(request);
    return exchange == null ? null : exchange.context();
  }
}
