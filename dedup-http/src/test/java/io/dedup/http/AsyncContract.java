// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Requests that are answered later, by another thread, on whatever server. */
abstract class AsyncContract {

  private static final String KEY = "0123456789abcdef-0123";

  private final InMemoryClaimStore store =
      InMemoryClaimStore.create(ManualTime.atBeginning(), 10_000);
  private final Handlers handlers = new Handlers();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private App app;

  abstract WebServer.Starter server();

  @BeforeEach
  void start() throws Exception {
    app =
        App.on(store)
            .server(server())
            .bean(handlers)
            .bean(new Streams())
            .requests(r -> r.onReplay("orders", done -> null))
            .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
    threads.shutdownNow();
  }

  /** Responses that are sent while they are made. */
  @RestController
  static class Streams {
    volatile CountDownLatch more = new CountDownLatch(0);

    @PostMapping("/events")
    @IdempotentRequest(replay = Replay.NONE)
    SseEmitter events() throws Exception {
      SseEmitter emitter = new SseEmitter(60_000L);
      CountDownLatch latch = more;
      new Thread(
              () -> {
                try {
                  emitter.send("one");
                  latch.await(60, TimeUnit.SECONDS);
                  emitter.send("two");
                  emitter.complete();
                } catch (Exception e) {
                  emitter.completeWithError(e);
                }
              })
          .start();
      return emitter;
    }

    @PostMapping("/broken")
    @IdempotentRequest(replay = Replay.NONE)
    StreamingResponseBody broken() {
      return out -> {
        // More than a server's buffer: the response is on its way.
        out.write(new byte[1_000_000]);
        throw new IllegalStateException("broken");
      };
    }

    @PostMapping("/endless")
    @IdempotentRequest(replay = Replay.NONE)
    StreamingResponseBody endless() {
      return out -> {
        // Ends when the client has hung up: the server cannot write any more then.
        byte[] some = new byte[8192];
        for (int i = 0; i < 100_000; i++) {
          out.write(some);
          out.flush();
        }
      };
    }

    @PostMapping("/stream")
    @IdempotentRequest(replay = Replay.NONE)
    ResponseEntity<StreamingResponseBody> stream() {
      return ResponseEntity.ok(out -> out.write("streamed".getBytes(StandardCharsets.UTF_8)));
    }
  }

  private HttpResponse<String> post(String path) throws Exception {
    return app.post(path, "{}", App.KEY, KEY);
  }

  /** What a handler returns that has not ended. */
  private static Object later(CompletionStage<String> future) {
    return future;
  }

  private static String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private void assertRunsOnce(String body) throws Exception {
    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo(body);
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.body()).isEqualTo(body);
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all())
        .containsExactly("POST /optional EXECUTED", "POST /optional REPLAYED");
  }

  @Test
  void a_callable_completes_when_it_has_ended() throws Exception {
    handlers.script = (request, response, context) -> (Callable<String>) () -> "called";

    assertRunsOnce("called");
  }

  @Test
  void a_deferred_result_completes_when_it_is_set() throws Exception {
    handlers.script =
        (request, response, context) -> {
          DeferredResult<String> result = new DeferredResult<>();
          threads.execute(() -> result.setResult("deferred"));
          return result;
        };

    assertRunsOnce("deferred");
  }

  @Test
  void a_future_completes_when_it_has_ended() throws Exception {
    handlers.script =
        (request, response, context) ->
            later(CompletableFuture.supplyAsync(() -> "from the future", threads));

    assertRunsOnce("from the future");
  }

  @Test
  void a_context_that_somebody_completes_by_hand_sends_and_keeps_what_was_written()
      throws Exception {
    handlers.script =
        (request, response, context) -> {
          AsyncContext async = request.startAsync(request, response);
          threads.execute(
              () -> {
                response.setContentType("text/plain;charset=UTF-8");
                try {
                  async.getResponse().getWriter().write("by hand");
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                async.complete();
              });
          return null;
        };

    assertRunsOnce("by hand");
  }

  @Test
  void while_it_is_worked_on_a_repetition_is_409() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script =
        (request, response, context) ->
            later(
                CompletableFuture.supplyAsync(
                    () -> {
                      entered.countDown();
                      try {
                        leave.await(60, TimeUnit.SECONDS);
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      return "late";
                    },
                    threads));
    CompletableFuture<HttpResponse<String>> first = app.postLater("/optional", "{}", App.KEY, KEY);
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(post("/optional").statusCode()).isEqualTo(409);
    leave.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("late");
    assertThat(status(post("/optional"))).isEqualTo("replayed");
  }

  @Test
  void an_asynchronous_failure_gives_the_key_back() throws Exception {
    handlers.script =
        (request, response, context) ->
            later(CompletableFuture.failedFuture(new IllegalStateException("broken")));

    assertThat(post("/optional").statusCode()).isEqualTo(500);
    handlers.script = (request, response, context) -> "well";

    assertThat(post("/optional").body()).isEqualTo("well");
    assertThat(app.told.all())
        .containsExactly("POST /optional RELEASED", "POST /optional EXECUTED");
  }

  @Test
  void a_failure_behind_the_point_of_no_return_is_in_doubt_in_another_thread_too()
      throws Exception {
    handlers.script =
        (request, response, context) ->
            (Callable<String>)
                () -> {
                  context.pointOfNoReturn();
                  throw new IllegalStateException("broken");
                };

    assertThat(post("/optional").statusCode()).isEqualTo(500);

    assertThat(post("/optional").body()).contains("outcome-unknown");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void a_request_that_times_out_keeps_its_key_because_its_handler_may_be_at_work()
      throws Exception {
    DeferredResult<String> never = new DeferredResult<>(100L);
    handlers.script = (request, response, context) -> never;

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(503);
    assertThat(status(first)).isEqualTo("in-progress");
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("in-progress");
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all())
        .containsExactly("POST /optional INDETERMINATE", "POST /optional CONFLICT");
  }

  @Test
  void what_a_handler_answers_after_its_request_timed_out_completes_and_releases_nothing()
      throws Exception {
    DeferredResult<String> late = new DeferredResult<>(100L);
    handlers.script = (request, response, context) -> late;

    assertThat(post("/optional").statusCode()).isEqualTo(503);
    late.setResult("late");

    assertThat(post("/optional").body()).contains("in-progress");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void events_are_sent_as_they_come_and_a_repetition_is_409() throws Exception {
    Streams streams = app.bean(Streams.class);
    streams.more = new CountDownLatch(1);
    HttpResponse<Stream<String>> first =
        HttpClient.newHttpClient()
            .send(
                app.request("POST", "/events", "{}", App.KEY, KEY),
                HttpResponse.BodyHandlers.ofLines());
    Iterator<String> lines = first.body().iterator();
    // The first line is here while the second is not even made.
    assertThat(lines.next()).isEqualTo("data:one");
    streams.more.countDown();
    lines.forEachRemaining(line -> {});

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(post("/events").body()).contains("completed-not-replayable"));
    assertThat(status(first)).isEqualTo("executed");
  }

  @Test
  void a_body_that_is_streamed_is_sent_and_not_replayed() throws Exception {
    assertThat(post("/stream").body()).isEqualTo("streamed");

    HttpResponse<String> second = post("/stream");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body())
        .contains("completed-not-replayable")
        .contains("\"originalStatus\":200");
  }

  @Test
  void a_stream_whose_client_hung_up_is_done_all_the_same() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", app.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /endless HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                      + "Content-Type: application/json\r\n"
                      + App.KEY
                      + ": "
                      + KEY
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(10_000)).hasSize(10_000);
      socket.setSoLinger(true, 0);
    }

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(app.post("/endless", "", App.KEY, KEY).body())
                    .contains("completed-not-replayable")
                    .contains("\"originalStatus\":200"));
  }

  @Test
  void a_stream_that_breaks_is_in_doubt_and_does_not_run_again() throws Exception {
    try {
      assertThat(post("/broken").statusCode()).isEqualTo(200);
    } catch (IOException e) {
      // The server may as well cut the connection.
      assertThat(e).hasMessageNotContaining("refused");
    }

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(post("/broken").body()).contains("outcome-unknown"));
  }
}
