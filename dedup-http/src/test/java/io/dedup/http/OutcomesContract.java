// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.claim.ClaimStore;
import io.dedup.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;

/** What each case of a request with a key is answered, on whatever store. */
abstract class OutcomesContract {

  private static final String BODY = "{\"amount\":1}";
  private static final String DOCS = "https://docs.example.com/idempotency";

  final ManualTime time = ManualTime.atBeginning();
  final String key = "key-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-0123456";
  private final Handlers handlers = new Handlers();
  private TroubledStore store;
  private App app;

  /** Returns the store, whose time is {@link #time}. */
  abstract ClaimStore store() throws Exception;

  /** Returns the server; Tomcat unless said otherwise. */
  WebServer.Starter server() {
    return TomcatServer::start;
  }

  @BeforeEach
  void start() throws Exception {
    store = new TroubledStore(store());
    app = process(handlers);
  }

  private App process(Handlers what) throws Exception {
    return App.on(store)
        .server(server())
        .bean(what)
        .options(
            o ->
                o.answers(a -> a.withProblemBaseUri(DOCS))
                    .request(4096, 1024)
                    .responseMaxBody(2048))
        .requests(
            r ->
                r.onReplay(
                    "orders",
                    done ->
                        done.location() == null
                            ? null
                            : new OnReplay.Rebuilt(
                                200,
                                "text/plain",
                                ("rebuilt " + done.location()).getBytes(StandardCharsets.UTF_8))))
        .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private HttpResponse<String> post(String path) throws Exception {
    return app.post(path, BODY, App.KEY, key, "X-User", "alice");
  }

  private static String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private void assertProblem(
      HttpResponse<String> response, int status, String code, String keyAction) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(response.headers().firstValue("Link"))
        .hasValue("<" + DOCS + ">; rel=\"describedby\"");
    assertThat(status(response)).isEqualTo(code.equals("key-reused") ? "mismatch" : code);
    assertThat(response.body())
        .contains("\"type\":\"" + DOCS + "#" + code + "\"")
        .contains("\"status\":" + status)
        .contains("\"code\":\"" + code + "\"")
        .contains("\"keyAction\":\"" + keyAction + "\"")
        .contains("\"retryable\":" + keyAction.equals("RETRY_SAME_KEY"))
        .doesNotContain(key);
  }

  @Test
  void first_execution_gives_the_handlers_answer_and_says_executed() throws Exception {
    HttpResponse<String> response = post("/optional");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("run 1");
    assertThat(status(response)).isEqualTo("executed");
    assertThat(response.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(app.told.all()).containsExactly("POST /optional EXECUTED");
  }

  @Test
  void a_repetition_gets_what_was_answered_and_runs_nothing() throws Exception {
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(201)
                .header("Location", "/orders/7")
                .header("ETag", "\"v1\"")
                .header("X-Secret", "mine")
                .header("Set-Cookie", "session=1")
                .body("run " + handlers.runs.get());

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo("run 1");
    assertThat(second.headers().firstValue("Location")).hasValue("/orders/7");
    assertThat(second.headers().firstValue("ETag")).hasValue("\"v1\"");
    assertThat(second.headers().firstValue("Content-Type"))
        .isEqualTo(first.headers().firstValue("Content-Type"));
    assertThat(second.headers().firstValue("Content-Length")).hasValue("5");
    assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(second.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(second.headers().firstValue("X-Secret")).isEmpty();
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all())
        .containsExactly("POST /optional EXECUTED", "POST /optional REPLAYED");
  }

  @Test
  void without_a_key_that_is_required_it_is_400_key_missing() throws Exception {
    HttpResponse<String> response = app.post("/required", BODY);

    assertProblem(response, 400, "key-missing", "SEND_KEY");
    assertThat(handlers.runs).hasValue(0);
    assertThat(app.told.all()).containsExactly("POST /required MISSING");
  }

  @Test
  void without_a_key_that_is_not_required_each_request_runs() throws Exception {
    app.post("/optional", BODY);
    HttpResponse<String> second = app.post("/optional", BODY);

    assertThat(second.body()).isEqualTo("run 2");
    assertThat(status(second)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"short", "\"0123456789abcdef", "0123456789abcdef,b", "0123456789 abcdef"})
  void a_malformed_key_is_400_key_invalid(String bad) throws Exception {
    HttpResponse<String> response = app.post("/optional", BODY, App.KEY, bad, "X-User", "alice");

    assertProblem(response, 400, "key-invalid", "FIX_KEY");
    assertThat(response.body()).doesNotContain(bad.replace("\"", ""));
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void two_header_lines_are_400_key_invalid() throws Exception {
    HttpResponse<String> response =
        app.post("/optional", BODY, App.KEY, key, App.KEY, key, "X-User", "alice");

    assertProblem(response, 400, "key-invalid", "FIX_KEY");
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void a_quoted_key_and_a_bare_one_are_the_same() throws Exception {
    post("/optional");
    HttpResponse<String> quoted =
        app.post("/optional", BODY, App.KEY, "\"" + key + "\";a=b", "X-User", "alice");

    assertThat(quoted.body()).isEqualTo("run 1");
    assertThat(status(quoted)).isEqualTo("replayed");
  }

  @Test
  void an_anonymous_caller_who_is_rejected_gets_400_caller_unknown() throws Exception {
    HttpResponse<String> response = app.post("/no-anonymous", BODY, App.KEY, key);

    assertProblem(response, 400, "caller-unknown", "FIX_REQUEST");
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void the_same_key_with_another_request_is_422_key_reused() throws Exception {
    post("/optional");
    HttpResponse<String> other =
        app.post("/optional", "{\"amount\":2}", App.KEY, key, "X-User", "alice");

    assertProblem(other, 422, "key-reused", "USE_NEW_KEY");
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all()).contains("POST /optional MISMATCH");
  }

  @Test
  void in_progress_it_is_409_with_retry_after_and_another_request_is_422() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script = waitingFor(entered, leave);
    CompletableFuture<HttpResponse<String>> first =
        app.postLater("/optional", BODY, App.KEY, key, "X-User", "alice");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    HttpResponse<String> same = post("/optional");
    HttpResponse<String> other =
        app.post("/optional", "{\"amount\":2}", App.KEY, key, "X-User", "alice");
    leave.countDown();

    assertProblem(same, 409, "in-progress", "RETRY_SAME_KEY");
    assertThat(same.headers().firstValue("Retry-After")).hasValue("5");
    assertProblem(other, 422, "key-reused", "USE_NEW_KEY");
    assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all()).contains("POST /optional CONFLICT");
  }

  @Test
  void in_progress_in_another_process_it_is_the_same() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Handlers elsewhere = new Handlers();
    elsewhere.script = waitingFor(entered, leave);
    try (App other = process(elsewhere)) {
      CompletableFuture<HttpResponse<String>> first =
          other.postLater("/optional", BODY, App.KEY, key, "X-User", "alice");
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

      assertProblem(post("/optional"), 409, "in-progress", "RETRY_SAME_KEY");
      assertProblem(
          app.post("/optional", "{\"amount\":2}", App.KEY, key, "X-User", "alice"),
          422,
          "key-reused",
          "USE_NEW_KEY");
      leave.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(post("/optional").body()).isEqualTo("done");
    }
    assertThat(handlers.runs).hasValue(0);
  }

  private static Handlers.Script waitingFor(CountDownLatch entered, CountDownLatch leave) {
    return (request, response, context) -> {
      entered.countDown();
      assertThat(leave.await(60, TimeUnit.SECONDS)).isTrue();
      return "done";
    };
  }

  @Test
  void in_progress_with_waiting_it_is_the_others_answer() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script = waitingFor(entered, leave);
    CompletableFuture<HttpResponse<String>> first =
        app.postLater("/wait", BODY, App.KEY, key, "X-User", "alice");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<HttpResponse<String>> second =
        app.postLater("/wait", BODY, App.KEY, key, "X-User", "alice");
    leave.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
    assertThat(second.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
    assertThat(status(second.get())).isEqualTo("replayed");
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void in_progress_in_another_process_with_waiting_it_is_the_others_answer() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Handlers elsewhere = new Handlers();
    elsewhere.script = waitingFor(entered, leave);
    try (App other = process(elsewhere)) {
      CompletableFuture<HttpResponse<String>> first =
          other.postLater("/wait", BODY, App.KEY, key, "X-User", "alice");
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<HttpResponse<String>> second =
          app.postLater("/wait", BODY, App.KEY, key, "X-User", "alice");
      leave.countDown();

      assertThat(second.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(status(second.get())).isEqualTo("replayed");
      assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
    }
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void in_progress_for_longer_than_the_wait_it_is_409() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    handlers.script = waitingFor(entered, leave);
    CompletableFuture<HttpResponse<String>> first =
        app.postLater("/wait-briefly", BODY, App.KEY, key, "X-User", "alice");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    assertProblem(post("/wait-briefly"), 409, "in-progress", "RETRY_SAME_KEY");
    leave.countDown();
    first.get(30, TimeUnit.SECONDS);
  }

  @Test
  void a_worker_lost_under_hold_is_409_outcome_unknown_without_retry_after() throws Exception {
    loseWorker("/hold");

    HttpResponse<String> response = post("/hold");

    assertProblem(response, 409, "outcome-unknown", "RECONCILE");
    assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void a_worker_lost_under_rerun_blocks_the_key_for_its_lease_alone() throws Exception {
    loseWorker("/optional");

    HttpResponse<String> response = post("/optional");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(status(response)).isEqualTo("executed");
    assertThat(handlers.runs).hasValue(1);
  }

  /** Another process claims the key, and is never heard of again. */
  private void loseWorker(String path) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Handlers elsewhere = new Handlers();
    TroubledStore theirs = new TroubledStore(store);
    elsewhere.script =
        (request, response, context) -> {
          theirs.down = true;
          entered.countDown();
          leave.await(60, TimeUnit.SECONDS);
          return "too late";
        };
    App lost =
        App.on(theirs).bean(elsewhere).requests(r -> r.onReplay("orders", d -> null)).start();
    CompletableFuture<HttpResponse<String>> first =
        lost.postLater(path, BODY, App.KEY, key, "X-User", "alice");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    assertProblem(post(path), 409, "in-progress", "RETRY_SAME_KEY");
    time.advance(Duration.ofSeconds(31));
    leave.countDown();
    // The handler's answer comes all the same, and changes nothing.
    assertThat(first.get(60, TimeUnit.SECONDS).body()).isEqualTo("too late");
    lost.close();
  }

  @Test
  void a_response_above_the_limit_is_sent_and_then_409_with_status_and_location() throws Exception {
    String large = "x".repeat(5000);
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(201).header("Location", "/orders/7").body(large);

    assertThat(post("/optional").body()).isEqualTo(large);
    HttpResponse<String> second = post("/optional");

    assertProblem(second, 409, "completed-not-replayable", "FETCH_RESULT");
    assertThat(second.body()).contains("\"originalStatus\":201");
    assertThat(second.headers().firstValue("Location")).hasValue("/orders/7");
    assertThat(handlers.runs).hasValue(1);
    assertThat(app.told.all()).contains("POST /optional NOT_REPLAYABLE");
  }

  @Test
  void an_operation_that_is_not_replayed_answers_409() throws Exception {
    assertThat(post("/not-replayed").body()).isEqualTo("run 1");

    assertProblem(post("/not-replayed"), 409, "completed-not-replayable", "FETCH_RESULT");
  }

  @Test
  void what_the_hook_makes_of_it_is_the_answer_where_there_is_no_body() throws Exception {
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(201).header("Location", "/orders/7").body("first");

    post("/rebuilt");
    HttpResponse<String> second = post("/rebuilt");

    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo("rebuilt /orders/7");
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void a_hook_that_has_nothing_leaves_409() throws Exception {
    post("/rebuilt");

    assertProblem(post("/rebuilt"), 409, "completed-not-replayable", "FETCH_RESULT");
  }

  @Test
  void status_only_repeats_status_and_headers_without_a_body() throws Exception {
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(201).header("Location", "/orders/7").body("secret");

    post("/status-only");
    HttpResponse<String> second = post("/status-only");

    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.headers().firstValue("Location")).hasValue("/orders/7");
    assertThat(second.body()).isEmpty();
  }

  @Test
  void a_request_body_above_the_limit_is_413() throws Exception {
    String large = "{\"text\":\"" + "x".repeat(5000) + "\"}";

    HttpResponse<String> response = app.post("/optional", large, App.KEY, key, "X-User", "alice");

    assertProblem(response, 413, "request-too-large", "FIX_REQUEST");
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void a_store_that_is_down_before_the_claim_is_503_with_retry_after() throws Exception {
    store.down = true;

    HttpResponse<String> response = post("/optional");

    assertProblem(response, 503, "store-unavailable", "RETRY_SAME_KEY");
    assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
    assertThat(handlers.runs).hasValue(0);
    assertThat(app.told.all()).containsExactly("POST /optional STORE_ERROR");
    store.down = false;
    assertThat(post("/optional").statusCode()).isEqualTo(200);
  }

  @Test
  void a_store_that_is_down_lets_an_operation_run_that_fails_open_and_says_bypassed()
      throws Exception {
    store.down = true;

    HttpResponse<String> response = post("/open");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(status(response)).isEqualTo("bypassed");
    assertThat(app.told.all()).containsExactly("POST /open BYPASSED");
  }

  @Test
  void a_store_that_is_down_at_completion_keeps_the_claim_and_completes_when_it_is_back()
      throws Exception {
    handlers.script =
        (request, response, context) -> {
          store.down = true;
          return "run " + handlers.runs.get();
        };

    HttpResponse<String> first = post("/optional");

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("run 1");
    assertThat(status(first)).isEqualTo("executed");
    assertThat(app.told.all()).containsExactly("POST /optional INDETERMINATE");
    store.down = false;
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(status(post("/optional"))).isEqualTo("replayed"));
    assertThat(handlers.runs).hasValue(1);
  }
}
