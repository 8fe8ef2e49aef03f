// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;

/** What completes a key and what gives it back, on whatever server. */
abstract class ResultsContract {

  private static final String KEY = "0123456789abcdef-0123";

  private final ManualTime time = ManualTime.atBeginning();
  private final InMemoryClaimStore store = InMemoryClaimStore.create(time, 10_000);
  private final Handlers handlers = new Handlers();
  private App app;

  abstract WebServer.Starter server();

  @BeforeEach
  void start() throws Exception {
    app = process(handlers);
  }

  private App process(Handlers what) throws Exception {
    return App.on(store)
        .server(server())
        .bean(what)
        .requests(r -> r.onReplay("orders", done -> null))
        .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private HttpResponse<String> post(String path) throws Exception {
    return app.post(path, "{}", App.KEY, KEY);
  }

  private static String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private void answers(int status) {
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(status).body("run " + handlers.runs.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 302, 303, 402, 404, 409, 410, 412, 418, 422, 451})
  void a_stable_answer_is_kept(int status) throws Exception {
    answers(status);

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(status);
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.statusCode()).isEqualTo(status);
    assertThat(second.body()).isEqualTo("run 1");
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void an_answer_without_a_body_is_kept() throws Exception {
    handlers.script = (request, response, context) -> ResponseEntity.noContent().build();

    post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(second.statusCode()).isEqualTo(204);
    assertThat(second.body()).isEmpty();
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {400, 401, 403, 407, 408, 413, 415, 421, 423, 425, 429, 431, 500, 502, 503, 504})
  void what_did_not_begin_or_failed_gives_its_key_back(int status) throws Exception {
    answers(status);

    HttpResponse<String> first = post("/optional");
    answers(200);
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(status);
    assertThat(status(first)).isEqualTo("released");
    assertThat(second.body()).isEqualTo("run 2");
    assertThat(status(second)).isEqualTo("executed");
    assertThat(app.told.all())
        .containsExactly("POST /optional RELEASED", "POST /optional EXECUTED");
  }

  @Test
  void an_exception_that_nobody_handles_gives_its_key_back() throws Exception {
    handlers.script =
        (request, response, context) -> {
          throw new IllegalStateException("broken");
        };

    HttpResponse<String> first = post("/optional");
    answers(200);

    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(status(first)).isEqualTo("released");
    assertThat(post("/optional").body()).isEqualTo("run 2");
  }

  @Test
  void a_failure_behind_the_point_of_no_return_is_409_outcome_unknown() throws Exception {
    handlers.script =
        (request, response, context) -> {
          context.pointOfNoReturn();
          throw new IllegalStateException("charged, and then broken");
        };

    assertThat(post("/optional").statusCode()).isEqualTo(500);
    answers(200);
    HttpResponse<String> second = post("/optional");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("\"code\":\"outcome-unknown\"").contains("RECONCILE");
    assertThat(second.headers().firstValue("Retry-After")).isEmpty();
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all()).contains("POST /optional INDETERMINATE");
  }

  @Test
  void a_5xx_behind_the_point_of_no_return_says_outcome_unknown_at_once() throws Exception {
    handlers.script =
        (request, response, context) -> {
          context.pointOfNoReturn();
          return ResponseEntity.status(502).body("bank did not answer");
        };

    HttpResponse<String> first = post("/optional");

    assertThat(first.statusCode()).isEqualTo(502);
    assertThat(status(first)).isEqualTo("outcome-unknown");
    assertThat(post("/optional").statusCode()).isEqualTo(409);
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void a_success_behind_the_point_of_no_return_is_kept() throws Exception {
    handlers.script =
        (request, response, context) -> {
          context.pointOfNoReturn();
          return "charged";
        };

    post("/optional");

    assertThat(status(post("/optional"))).isEqualTo("replayed");
  }

  @Test
  void a_lease_that_was_lost_sends_the_answer_and_stores_nothing() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script =
        (request, response, context) -> {
          entered.countDown();
          leave.await(60, TimeUnit.SECONDS);
          return "late";
        };
    CompletableFuture<HttpResponse<String>> first = app.postLater("/optional", "{}", App.KEY, KEY);
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    time.advance(Duration.ofSeconds(31));
    Handlers elsewhere = new Handlers();
    elsewhere.script = (request, response, context) -> "taken over";
    try (App other = process(elsewhere)) {
      assertThat(other.post("/optional", "{}", App.KEY, KEY).body()).isEqualTo("taken over");
    }
    leave.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("late");
    assertThat(app.told.all()).containsExactly("POST /optional STALE");
    assertThat(post("/optional").body()).isEqualTo("taken over");
  }

  @Test
  void a_client_that_hangs_up_changes_nothing() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script =
        (request, response, context) -> {
          entered.countDown();
          leave.await(60, TimeUnit.SECONDS);
          return "done " + "x".repeat(100_000);
        };
    try (Socket socket = new Socket("127.0.0.1", app.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /optional HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 2\r\n"
                  + App.KEY
                  + ": "
                  + KEY
                  + "\r\n\r\n{}")
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      // Reset, and not closed in good order: the server's next write fails.
      socket.setSoLinger(true, 0);
    }
    leave.countDown();

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(status(post("/optional"))).isEqualTo("replayed"));
    assertThat(post("/optional").body()).startsWith("done ");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void an_error_page_of_the_container_is_rendered_again() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.sendError(409, "paid already");
          return null;
        };

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(409);
    assertThat(first.body()).isEqualTo("error page 409 paid already");
    assertThat(status(first)).isEqualTo("executed");
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).isEqualTo("error page 409 paid already");
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void an_error_that_is_sent_with_5xx_gives_the_key_back() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.sendError(503);
          return null;
        };

    HttpResponse<String> first = post("/optional");
    answers(200);

    assertThat(first.statusCode()).isEqualTo(503);
    assertThat(first.body()).startsWith("error page 503");
    assertThat(post("/optional").body()).isEqualTo("run 2");
  }

  @Test
  void a_redirect_is_kept() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.sendRedirect("/orders/7");
          return null;
        };

    post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(second.statusCode()).isEqualTo(302);
    assertThat(second.headers().firstValue("Location").orElseThrow()).endsWith("/orders/7");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void what_is_written_by_hand_is_kept_with_its_charset() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.setContentType("text/plain;charset=UTF-8");
          response.setContentLength(999);
          response.getWriter().write("grün");
          response.flushBuffer();
          response.getWriter().write(" und blau");
          return null;
        };

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.body()).isEqualTo("grün und blau");
    assertThat(second.body()).isEqualTo("grün und blau");
    assertThat(second.headers().firstValue("Content-Type"))
        .isEqualTo(first.headers().firstValue("Content-Type"));
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void bytes_that_the_handler_encoded_keep_their_encoding() throws Exception {
    handlers.script =
        (request, response, context) ->
            ResponseEntity.ok().header("Content-Encoding", "x-rot13").body("uryyb");

    post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(second.headers().firstValue("Content-Encoding")).hasValue("x-rot13");
    assertThat(second.body()).isEqualTo("uryyb");
  }

  @Test
  void a_handler_can_keep_its_body_out_of_the_store() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.setHeader("X-Idempotency-Policy", "no-store");
          return "secret";
        };

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.body()).isEqualTo("secret");
    assertThat(first.headers().firstValue("X-Idempotency-Policy")).isEmpty();
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("completed-not-replayable").doesNotContain("secret");
  }

  @Test
  void statuses_and_exceptions_of_the_operation_come_before_the_defaults() throws Exception {
    answers(503);
    post("/own-rules");
    assertThat(post("/own-rules").body()).isEqualTo("run 1");

    answers(404);
    app.post("/own-rules", "{}", App.KEY, "another-key-0123456789");
    assertThat(app.post("/own-rules", "{}", App.KEY, "another-key-0123456789").body())
        .isEqualTo("run 3");

    handlers.script =
        (request, response, context) -> {
          throw new Handlers.Refusal();
        };
    app.post("/own-rules", "{}", App.KEY, "a-third-key-0123456789");
    HttpResponse<String> refused = app.post("/own-rules", "{}", App.KEY, "a-third-key-0123456789");
    assertThat(refused.body()).isEqualTo("refused 4");
    assertThat(status(refused)).isEqualTo("replayed");
  }

  @Test
  void a_failure_with_a_time_of_its_own_is_repeated_and_not_tried_again_before_that()
      throws Exception {
    answers(503);
    HttpResponse<String> first = post("/back-off");

    HttpResponse<String> second = post("/back-off");
    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(status(first)).isEqualTo("released");
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);

    time.advance(Duration.ofSeconds(31));
    answers(200);
    assertThat(post("/back-off").body()).isEqualTo("run 2");
  }

  @Test
  void what_the_caller_can_change_is_not_answered_from_the_store_for_that_time() throws Exception {
    answers(403);
    post("/back-off");
    answers(200);

    assertThat(post("/back-off").body()).isEqualTo("run 2");
  }

  @Test
  void a_handler_can_say_how_long_its_answer_is_kept() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.setHeader("X-Idempotency-Policy", "ttl=5m");
          return "run " + handlers.runs.get();
        };

    HttpResponse<String> first = post("/optional");

    assertThat(first.headers().firstValue("X-Idempotency-Policy")).isEmpty();
    time.advance(Duration.ofMinutes(4));
    assertThat(status(post("/optional"))).isEqualTo("replayed");
    time.advance(Duration.ofMinutes(2));
    assertThat(post("/optional").body()).isEqualTo("run 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ttl=soon", "ttl=0s", "ttl=-5m", "ttl=9999999999d", "forever", ""})
  void a_policy_that_cannot_be_read_leaves_the_operations(String policy) throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.setHeader("X-Idempotency-Policy", policy);
          return "run " + handlers.runs.get();
        };
    post("/optional");

    time.advance(Duration.ofHours(23));

    assertThat(post("/optional").body()).isEqualTo("run 1");
  }

  @Test
  void nothing_of_a_large_body_is_lost_on_its_way_through_a_file() throws Exception {
    handlers.script =
        (request, response, context) ->
            new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String body = "{\"text\":\"" + "0123456789".repeat(20_000) + "\"}";

    HttpResponse<String> first = app.post("/optional", body, App.KEY, KEY);
    HttpResponse<String> second = app.post("/optional", body, App.KEY, KEY);

    assertThat(first.body()).isEqualTo(body);
    assertThat(second.body()).isEqualTo(body);
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void a_request_that_is_not_guarded_streams_as_it_always_did() throws Exception {
    handlers.script =
        (request, response, context) -> {
          response.getOutputStream().write('a');
          response.flushBuffer();
          if (!response.isCommitted()) {
            throw new IOException("held back");
          }
          return null;
        };

    HttpResponse<String> response = post("/plain");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("a");
    assertThat(status(response)).isNull();
  }
}
