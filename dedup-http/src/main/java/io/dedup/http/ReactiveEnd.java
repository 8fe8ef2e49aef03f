// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Held;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Stores what became of the handlers of a WebFlux application, and never in its threads. */
final class ReactiveEnd {

  private static final Logger LOG = LoggerFactory.getLogger(ReactiveEnd.class);
  private static final int CHUNK_BYTES = 8192;

  private final Settler settler;
  private final HttpOptions options;
  private final ReactiveAnswers answers;
  private final Told told;
  private final Scheduler scheduler;

  ReactiveEnd(
      Settler settler,
      HttpOptions options,
      ReactiveAnswers answers,
      Told told,
      Scheduler scheduler) {
    this.settler = settler;
    this.options = options;
    this.answers = answers;
    this.told = told;
    this.scheduler = scheduler;
  }

  /** Hands a response to our own threads: a large one is collected in a file. */
  Flux<DataBuffer> onOwnThreads(Flux<? extends DataBuffer> content) {
    return content
        .publishOn(scheduler)
        .<DataBuffer>map(buffer -> buffer)
        .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
  }

  /** Returns what was collected. */
  Flux<DataBuffer> read(Body body, DataBufferFactory factory) {
    return body.isInFile()
        ? DataBufferUtils.readInputStream(body::open, factory, CHUNK_BYTES).subscribeOn(scheduler)
        : Flux.defer(() -> Flux.just(factory.wrap(body.bytes())));
  }

  /** All that is to be answered is there, and nothing of it is sent: now it is stored. */
  Mono<Void> settled(ReactiveState state) {
    ReactiveState.Guarded what = state.guarded();
    if (what == null || !state.endsFirst()) {
      return Mono.empty();
    }
    CollectedResponse response = state.response();
    int status = response.status();
    ResultRules.Meaning meaning =
        what.operation().rules().of(status, state.failure(), state.context().pastNoReturn());
    return settle(
        state,
        what,
        new Settler.End(
            meaning,
            () -> response.toStored(what.operation(), options.response()),
            status,
            state.failure(),
            response.policy().ttl()));
  }

  /** Everybody has returned; what was collected is settled by now. */
  Mono<Void> returned(ReactiveState state) {
    return state.response().isHeld() ? settled(state) : streamed(state, null);
  }

  /** The client hung up on a response that is streamed, and so its handler has ended. */
  Mono<Void> hungUp(ReactiveState state) {
    return streamed(state, null);
  }

  /** Nobody made a response of a failure, until now. */
  Mono<Void> failed(ReactiveState state, Throwable failure) {
    ReactiveState.Guarded what = state.guarded();
    if (!state.response().isHeld() && state.response().isCommitted()) {
      return streamed(state, failure);
    }
    if (what == null || !state.endsFirst()) {
      return Mono.empty();
    }
    int status = status(failure);
    ResultRules.Meaning meaning =
        what.operation().rules().of(status, failure, state.context().pastNoReturn());
    Supplier<StoredResponse> page =
        () -> new StoredResponse(StoredResponse.Kind.ERROR, status, null, List.of(), new byte[0]);
    return settle(
        state,
        what,
        new Settler.End(meaning, page, status, failure, state.response().policy().ttl()));
  }

  /**
   * The status of what was streamed has been sent and stands, also when the client hung up; what
   * else went wrong leaves the effect in doubt.
   */
  private Mono<Void> streamed(ReactiveState state, @Nullable Throwable failure) {
    ReactiveState.Guarded what = state.guarded();
    if (what == null || !state.endsFirst()) {
      return Mono.empty();
    }
    CollectedResponse response = state.response();
    boolean broken =
        failure != null
            && !(failure instanceof IOException)
            && !DisconnectedClientHelper.isClientDisconnectedException(failure);
    ResultRules.Meaning meaning =
        broken
            ? ResultRules.Meaning.IN_DOUBT
            : what.operation().rules().of(response.status(), null, state.context().pastNoReturn());
    return settle(
        state,
        what,
        new Settler.End(
            meaning,
            () -> response.toStored(what.operation(), options.response()),
            response.status(),
            null,
            null));
  }

  /** Begins at once, and goes on whoever hangs up: what is done must be stored. */
  private Mono<Void> settle(ReactiveState state, ReactiveState.Guarded what, Settler.End end) {
    Mono<Void> settling = settling(state, what, end).cache();
    settling.subscribe(
        nothing -> {}, e -> LOG.warn("a request was not settled, its lease will end", e));
    return settling;
  }

  private Mono<Void> settling(ReactiveState state, ReactiveState.Guarded what, Settler.End end) {
    Held held = what.held();
    return Mono.fromCallable(() -> Optional.ofNullable(settler.begin(held, what.operation(), end)))
        .subscribeOn(scheduler)
        .flatMap(
            begun ->
                Mono.<Void>create(
                        sink -> held.whenEnded().whenComplete((ended, none) -> sink.success()))
                    .timeout(Settler.PATIENCE)
                    .onErrorComplete()
                    .then(Mono.fromSupplier(() -> begun.orElseGet(() -> Settler.completed(held)))))
        // What follows is the application's, and must not keep the store's threads.
        .publishOn(Schedulers.parallel())
        .doOnNext(
            settled -> {
              told.tell(what.name(), settled.outcome());
              answers.handled(settled.header(), state.exchange());
            })
        .then();
  }

  /** Returns the status that Spring gives to a failure which no handler of exceptions took. */
  private static int status(Throwable failure) {
    if (failure instanceof ErrorResponse response) {
      return response.getStatusCode().value();
    }
    ResponseStatus annotation =
        AnnotatedElementUtils.findMergedAnnotation(failure.getClass(), ResponseStatus.class);
    return annotation == null ? 500 : annotation.code().value();
  }
}
