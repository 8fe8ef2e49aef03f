// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.ResultCodec;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Claims the keys of prepared requests to a WebFlux application. Thread-safe. */
final class ReactiveAdmission {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final HttpOptions options;
  private final Gate gate;
  private final ResultCodec<StoredResponse> codec;
  private final ReactiveAnswers answers;
  private final Told told;
  private final ProcessClock clock;
  private final Scheduler scheduler;

  ReactiveAdmission(
      HttpOptions options,
      Gate gate,
      ResultCodec<StoredResponse> codec,
      ReactiveAnswers answers,
      Told told,
      ProcessClock clock,
      Scheduler scheduler) {
    this.options = options;
    this.gate = gate;
    this.codec = codec;
    this.answers = answers;
    this.told = told;
    this.clock = clock;
    this.scheduler = scheduler;
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
   * @param state the filter's, null if it saw neither a key nor a need for one
   * @return empty if its handler runs, else what it gets instead
   */
  Mono<Optional<Answer>> admit(
      Waiting waiting, ServerWebExchange exchange, @Nullable ReactiveState state) {
    Prepared prepared = waiting.prepared();
    if (prepared instanceof Prepared.Ask ask && state != null) {
      state.asks();
      long deadline = clock.nanoTime() + waiting.operation().waitFor().toNanos();
      return asked(waiting, ask, exchange, deadline)
          .publishOn(Schedulers.parallel())
          .map(answer -> acted(waiting, answer, exchange, state));
    }
    return prepared instanceof Prepared.Known known
        ? Mono.fromSupplier(() -> acted(waiting, known.answer(), exchange, state))
        : Mono.just(Optional.empty());
  }

  /** Who waits for another takes no thread meanwhile. */
  private Mono<Answer> asked(
      Waiting waiting, Prepared.Ask ask, ServerWebExchange exchange, long deadline) {
    Operation operation = waiting.operation();
    OutcomeAnswers outcomes =
        new OutcomeAnswers(
            operation,
            codec,
            options.answers().retryAfterMax(),
            (status, location) -> rebuilt(operation, exchange.getRequest(), status, location),
            ask.notIssued());
    return Mono.fromCallable(
            () ->
                Optional.ofNullable(
                    gate.askOnce(
                        operation, ask.delivery(), outcomes, clock.nanoTime() - deadline < 0)))
        .subscribeOn(scheduler)
        .onErrorResume(RejectedExecutionException.class, e -> Mono.just(Optional.of(crowded())))
        .flatMap(
            answer ->
                answer
                    .map(Mono::just)
                    .orElseGet(
                        () ->
                            Mono.delay(POLL_INTERVAL)
                                .then(Mono.defer(() -> asked(waiting, ask, exchange, deadline)))));
  }

  private Answer crowded() {
    return new Answer.Refuse(
        Problem.retryAfter(ProblemCode.STORE_UNAVAILABLE, options.answers().retryAfterMax()),
        RequestOutcome.STORE_ERROR);
  }

  private Optional<Answer> acted(
      Waiting waiting, Answer answer, ServerWebExchange exchange, @Nullable ReactiveState state) {
    if (answer instanceof Answer.Run run && state != null) {
      state.begin(waiting.operation(), waiting.name(), run.held());
      if (!state.response().isHeld()) {
        // What is streamed is on its way before anything can be said of its end.
        answers.handled("executed", exchange);
      }
      return Optional.empty();
    }
    if (state != null) {
      state.runsWithoutClaim();
    }
    if (answer instanceof Answer.Bypass) {
      told.tell(waiting.name(), RequestOutcome.BYPASSED);
      answers.handled("bypassed", exchange);
      return Optional.empty();
    }
    told.tell(
        waiting.name(),
        answer instanceof Answer.Refuse refuse ? refuse.outcome() : RequestOutcome.REPLAYED);
    return Optional.of(answer);
  }

  private static OnReplay.@Nullable Rebuilt rebuilt(
      Operation operation,
      ServerHttpRequest request,
      @Nullable Integer status,
      @Nullable String location) {
    OnReplay hook = operation.onReplay();
    return hook == null
        ? null
        : hook.rebuild(
            new OnReplay.Completed(
                request.getMethod().name(), request.getURI().getRawPath(), status, location));
  }
}
