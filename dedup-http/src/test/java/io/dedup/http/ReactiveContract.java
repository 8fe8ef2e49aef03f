// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dedup.DedupContext;
import io.dedup.claim.ClaimStore;
import io.dedup.testkit.ManualTime;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** What a WebFlux application answers, over real sockets. */
abstract class ReactiveContract {

  final ManualTime time = ManualTime.atBeginning();
  final String key = UUID.randomUUID().toString();
  private final Sinks.One<String> later = Sinks.one();
  private TroubledStore store;
  private ReactiveApp app;
  private ReactiveApp.Work work;

  abstract ClaimStore store();

  @BeforeEach
  void start() {
    store = new TroubledStore(store());
    app =
        new ReactiveApp(
            store,
            o ->
                o.request(64 << 10, 8 << 10)
                    .responseMaxBody(4096)
                    .policy(p -> p.lease(Duration.ofSeconds(30)))
                    .answers(a -> a.withProblemBaseUri("https://docs.example.com/idempotency")),
            r -> r.onReplay("orders", ReactiveContract::rebuilt),
            Handlers.class);
    work = app.bean(ReactiveApp.Work.class);
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private static OnReplay.@Nullable Rebuilt rebuilt(OnReplay.Completed done) {
    return new OnReplay.Rebuilt(
        200, "text/plain", ("made anew for " + done.path()).getBytes(StandardCharsets.UTF_8));
  }

  /** A failure that has a handler. */
  @ResponseStatus(HttpStatus.CONFLICT)
  static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A failure that the application makes an answer of. */
  static final class Told extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @RestController
  static class Handlers {
    private final ReactiveApp.Work work;

    Handlers(ReactiveApp.Work work) {
      this.work = work;
    }

    @PostMapping("/optional")
    @IdempotentRequest
    Mono<String> optional(@RequestBody(required = false) @Nullable String body) {
      return work.run();
    }

    @PostMapping("/required")
    @IdempotentRequest(operation = "charge", required = true)
    Mono<ResponseEntity<String>> required(ServerWebExchange exchange) {
      exchange.getResponse().getHeaders().add("Set-Cookie", "mine=1");
      return work.run().map(b -> ResponseEntity.status(201).header("Location", "/c/1").body(b));
    }

    @PostMapping("/plain")
    @IdempotentRequest
    String plain(@RequestBody String body) {
      work.runs.incrementAndGet();
      return body + " on " + Thread.currentThread().getName();
    }

    @PostMapping("/waits")
    @IdempotentRequest(concurrent = Concurrent.WAIT, waitFor = "20s")
    Mono<String> waits() {
      return work.run();
    }

    @PostMapping("/open")
    @IdempotentRequest(onStoreFailure = OnStoreFailure.FAIL_OPEN)
    Mono<String> open() {
      return work.run();
    }

    @PostMapping("/past")
    @IdempotentRequest
    Mono<String> past(DedupContext context) {
      return Mono.fromRunnable(context::pointOfNoReturn)
          .subscribeOn(Schedulers.boundedElastic())
          .then(work.run());
    }

    @PostMapping("/form")
    @IdempotentRequest
    Mono<String> form(ServerWebExchange exchange) {
      return exchange.getFormData().map(form -> work.runs.incrementAndGet() + form.toString());
    }

    @PostMapping("/model")
    @IdempotentRequest
    Mono<String> model(@ModelAttribute Order order) {
      return Mono.just(work.runs.incrementAndGet() + " " + order.number());
    }

    record Order(String number) {}

    @PostMapping("/parts")
    @IdempotentRequest
    Mono<String> parts(@RequestPart("file") FilePart file) {
      return file.content()
          .map(buffer -> buffer.toString(StandardCharsets.UTF_8))
          .collectList()
          .map(text -> work.runs.incrementAndGet() + file.filename() + String.join("", text));
    }

    @PostMapping("/rebuilt")
    @IdempotentRequest(replay = Replay.REBUILD, onReplay = "orders")
    Mono<String> rebuilt() {
      return work.run();
    }

    @PostMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @IdempotentRequest(replay = Replay.NONE)
    Flux<String> events() {
      return work.run()
          .flux()
          .concatWith(Flux.interval(Duration.ofMillis(20)).onBackpressureDrop().map(i -> "tick"));
    }

    @PostMapping("/tokens")
    @IdempotentRequest(operation = "token", issuedToken = true)
    Mono<String> token() {
      return work.run();
    }

    @PostMapping("/by-body")
    @IdempotentRequest(keySource = KeySource.SPEL, key = "#body.order", required = true)
    Mono<String> byBody(@RequestBody Map<String, Object> body) {
      return work.run();
    }

    @PostMapping("/ttl")
    @IdempotentRequest
    Mono<String> ttl(ServerWebExchange exchange) {
      exchange.getResponse().getHeaders().set("X-Idempotency-Policy", "ttl=5m");
      return work.run();
    }

    @ExceptionHandler
    ResponseEntity<String> told(Told failure) {
      return ResponseEntity.status(422).body("told");
    }
  }

  private HttpResponse<String> post(String path) throws Exception {
    return app.post(path, "{}", App.KEY, key);
  }

  private static @Nullable String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  private static @Nullable String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  @Test
  void a_request_runs_once_and_is_answered_as_it_was() throws Exception {
    HttpResponse<String> first = post("/required");
    HttpResponse<String> second = post("/required");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body()).isEqualTo("run 1");
    assertThat(status(first)).isEqualTo("executed");
    assertThat(header(first, "Set-Cookie")).isEqualTo("mine=1");
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo("run 1");
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(header(second, "Idempotent-Replayed")).isEqualTo("true");
    assertThat(header(second, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(second, "Location")).isEqualTo("/c/1");
    assertThat(header(second, "Content-Type")).isEqualTo(header(first, "Content-Type"));
    assertThat(header(second, "Set-Cookie")).isNull();
    assertThat(app.told.all()).containsExactly("charge EXECUTED", "charge REPLAYED");
  }

  @Test
  void two_principals_never_share_a_key_a_body_or_a_header() throws Exception {
    HttpResponse<String> anns = app.post("/optional", "{}", App.KEY, key, "X-User", "ann");
    HttpResponse<String> bobs = app.post("/optional", "{}", App.KEY, key, "X-User", "bob");

    assertThat(status(anns)).isEqualTo("executed");
    assertThat(status(bobs)).isEqualTo("executed");
    assertThat(bobs.body()).isEqualTo("run 2");
  }

  @Test
  void without_a_key_it_runs_unguarded_or_is_refused_where_one_is_required() throws Exception {
    assertThat(status(app.post("/optional", "{}"))).isNull();
    HttpResponse<String> missing = app.post("/required", "{}");

    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("\"code\":\"key-missing\"", "SEND_KEY");
    assertThat(header(missing, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(missing, "Link"))
        .isEqualTo("<https://docs.example.com/idempotency>; rel=\"describedby\"");
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void a_key_that_cannot_be_is_refused() throws Exception {
    HttpResponse<String> shorter = app.post("/optional", "{}", App.KEY, "4711");
    HttpResponse<String> twice = app.post("/optional", "{}", App.KEY, key, App.KEY, key);

    assertThat(shorter.statusCode()).isEqualTo(400);
    assertThat(shorter.body()).contains("key-invalid");
    assertThat(twice.body()).contains("key-invalid");
    assertThat(work.runs).hasValue(0);
  }

  @Test
  void another_request_with_the_key_is_422_also_while_the_first_runs() throws Exception {
    work.script = later.asMono();
    CompletableFuture<HttpResponse<String>> first = app.postLater("/optional", "{}", App.KEY, key);
    assertThat(work.entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();

    HttpResponse<String> other = app.post("/optional", "{\"a\":1}", App.KEY, key);
    HttpResponse<String> same = post("/optional");
    later.tryEmitValue("done");

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(status(other)).isEqualTo("mismatch");
    assertThat(same.statusCode()).isEqualTo(409);
    assertThat(status(same)).isEqualTo("in-progress");
    assertThat(header(same, "Retry-After")).isNotNull();
    assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("done");
    assertThat(app.post("/optional", "{\"a\":1}", App.KEY, key).statusCode()).isEqualTo(422);
  }

  @Test
  void who_waits_gets_the_first_ones_answer() throws Exception {
    work.script = later.asMono();
    CompletableFuture<HttpResponse<String>> first = app.postLater("/waits", "{}", App.KEY, key);
    assertThat(work.entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    // More than there are threads that ask stores: who waits takes none.
    List<CompletableFuture<HttpResponse<String>>> others =
        IntStream.range(0, 100).mapToObj(i -> app.postLater("/waits", "{}", App.KEY, key)).toList();
    assertThat(status(app.post("/plain", "{}", App.KEY, key))).isEqualTo("executed");
    later.tryEmitValue("done");

    assertThat(status(first.get(30, TimeUnit.SECONDS))).isEqualTo("executed");
    for (CompletableFuture<HttpResponse<String>> other : others) {
      assertThat(status(other.get(30, TimeUnit.SECONDS))).isEqualTo("replayed");
      assertThat(other.get().body()).isEqualTo("done");
    }
  }

  @Test
  void a_failure_gives_the_key_back() throws Exception {
    work.script = Mono.error(new IllegalStateException("broken"));
    HttpResponse<String> first = post("/optional");
    work.script = Mono.just("well");

    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(post("/optional").body()).isEqualTo("well");
    assertThat(app.told.all())
        .containsExactly("POST /optional RELEASED", "POST /optional EXECUTED");
  }

  @Test
  void a_failure_with_a_stable_status_is_kept_and_its_page_made_again() throws Exception {
    work.script = Mono.error(new Refusal());

    HttpResponse<String> first = post("/optional");
    HttpResponse<String> second = post("/optional");

    assertThat(first.statusCode()).isEqualTo(409);
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void a_failure_that_the_application_makes_an_answer_of_is_that_answer() throws Exception {
    work.script = Mono.error(new Told());

    assertThat(post("/optional").statusCode()).isEqualTo(422);
    HttpResponse<String> second = post("/optional");

    assertThat(second.body()).isEqualTo("told");
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void a_failure_behind_the_point_of_no_return_is_in_doubt() throws Exception {
    work.script = Mono.error(new IllegalStateException("broken"));

    assertThat(post("/past").statusCode()).isEqualTo(500);
    HttpResponse<String> second = post("/past");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("outcome-unknown", "RECONCILE");
    assertThat(header(second, "Retry-After")).isNull();
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void while_the_store_is_down_requests_are_refused_or_run_by_policy() throws Exception {
    store.down = true;

    HttpResponse<String> closed = post("/optional");
    HttpResponse<String> open = post("/open");

    assertThat(closed.statusCode()).isEqualTo(503);
    assertThat(header(closed, "Retry-After")).isNotNull();
    assertThat(status(closed)).isEqualTo("store-unavailable");
    assertThat(status(open)).isEqualTo("bypassed");
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void a_store_that_goes_down_before_the_completion_costs_the_client_nothing() throws Exception {
    work.script =
        Mono.fromSupplier(
            () -> {
              store.down = true;
              return "done";
            });

    HttpResponse<String> first = post("/optional");
    store.down = false;

    assertThat(first.body()).isEqualTo("done");
    assertThat(status(first)).isEqualTo("executed");
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(status(post("/optional"))).isEqualTo("replayed"));
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void a_client_that_hangs_up_changes_nothing() throws Exception {
    work.script = later.asMono();
    try (Socket socket = new Socket("127.0.0.1", app.port())) {
      send(socket, "/optional");
      assertThat(work.entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      socket.setSoLinger(true, 0);
    }
    later.tryEmitValue("done");

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(post("/optional").body()).isEqualTo("done"));
    assertThat(work.runs).hasValue(1);
  }

  @Test
  void a_stream_is_sent_as_it_comes_and_is_done_when_its_client_hangs_up() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", app.port())) {
      send(socket, "/events");
      StringBuilder seen = new StringBuilder();
      while (!seen.toString().contains("data:tick")) {
        int read = socket.getInputStream().read();
        assertThat(read).as("of %s", seen).isNotNegative();
        seen.append((char) read);
      }
      assertThat(seen.toString().toLowerCase(Locale.ROOT)).contains("idempotency-status: executed");
      socket.setSoLinger(true, 0);
    }

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(app.post("/events", "", App.KEY, key).body())
                    .contains("completed-not-replayable", "\"originalStatus\":200"));
    assertThat(work.runs).hasValue(1);
  }

  private void send(Socket socket, String path) throws Exception {
    String body = path.equals("/events") ? "" : "{}";
    socket
        .getOutputStream()
        .write(
            ("POST "
                    + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: "
                    + body.length()
                    + "\r\n"
                    + App.KEY
                    + ": "
                    + key
                    + "\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void a_body_above_the_limit_is_413_also_when_it_comes_in_chunks() throws Exception {
    String large = "\"" + "x".repeat(70_000) + "\"";

    HttpResponse<String> response = app.post("/optional", large, App.KEY, key);

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("request-too-large");
    assertThat(work.runs).hasValue(0);
  }

  @Test
  void a_response_above_the_limit_is_sent_whole_and_not_replayed() throws Exception {
    String large = "0123456789".repeat(2_000);
    work.script = Mono.just(large);

    assertThat(post("/required").body()).isEqualTo(large);
    HttpResponse<String> second = post("/required");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("completed-not-replayable", "\"originalStatus\":201");
    assertThat(header(second, "Location")).isEqualTo("/c/1");
  }

  @Test
  void what_is_made_anew_is_what_the_application_makes() throws Exception {
    post("/rebuilt");

    HttpResponse<String> second = post("/rebuilt");

    assertThat(second.body()).isEqualTo("made anew for /rebuilt");
    assertThat(status(second)).isEqualTo("replayed");
  }

  @Test
  void json_counts_by_its_content_and_a_handler_reads_its_body_all_the_same() throws Exception {
    HttpResponse<String> first = app.post("/plain", "{\"a\":1, \"b\":2}", App.KEY, key);
    HttpResponse<String> second = app.post("/plain", "{\"b\":2,\"a\":1}", App.KEY, key);

    assertThat(first.body()).startsWith("{\"a\":1, \"b\":2}");
    assertThat(second.body()).isEqualTo(first.body());
  }

  @Test
  void neither_the_event_loop_nor_the_stores_threads_are_the_handlers() throws Exception {
    assertThat(app.post("/plain", "{}", App.KEY, key).body())
        .doesNotContain("dedup-http")
        .doesNotContain("dedup-settle");
  }

  @Test
  void forms_are_read_by_their_fields_however_the_handler_reads_them() throws Exception {
    for (String path : List.of("/form", "/model")) {
      String[] headers = {
        App.KEY, key, "Content-Type", "application/x-www-form-urlencoded", "X-User", path
      };
      HttpResponse<String> first = app.post(path, "number=7&b=2", headers);
      HttpResponse<String> second = app.post(path, "b=2&number=7", headers);
      HttpResponse<String> other = app.post(path, "b=2&number=8", headers);

      assertThat(first.body()).as(path).contains("7");
      assertThat(second.body()).as(path).isEqualTo(first.body());
      assertThat(other.statusCode()).as(path).isEqualTo(422);
    }
  }

  @Test
  void multipart_requests_count_by_their_parts_and_not_by_their_boundary() throws Exception {
    HttpResponse<String> first = parts("one", "text");
    HttpResponse<String> second = parts("two", "text");
    HttpResponse<String> other = parts("three", "another");

    assertThat(first.body()).isEqualTo("1a.txttext");
    assertThat(second.body()).isEqualTo("1a.txttext");
    assertThat(status(second)).isEqualTo("replayed");
    assertThat(other.statusCode()).isEqualTo(422);
  }

  private HttpResponse<String> parts(String boundary, String text) throws Exception {
    String body =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n"
            + text
            + "\r\n--"
            + boundary
            + "--\r\n";
    return app.post(
        "/parts", body, App.KEY, key, "Content-Type", "multipart/form-data; boundary=" + boundary);
  }

  @Test
  void a_key_may_come_from_the_body_alone() throws Exception {
    assertThat(app.post("/by-body", "{\"order\":7}", "X-User", "ann").body()).isEqualTo("run 1");
    assertThat(app.post("/by-body", "{\"order\":7}", "X-User", "ann").body()).isEqualTo("run 1");
    assertThat(app.post("/by-body", "{\"none\":7}", "X-User", "ann").body())
        .contains("key-missing");
  }

  @Test
  void a_token_of_the_endpoint_is_a_key_for_one_operation() throws Exception {
    HttpResponse<String> issued = app.post("/idempotency/tokens?operation=token", "");
    String token = issued.body().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");

    assertThat(issued.statusCode()).isEqualTo(201);
    assertThat(header(issued, "Cache-Control")).isEqualTo("no-store");
    assertThat(status(app.post("/tokens", "{}", App.KEY, token))).isEqualTo("executed");
    assertThat(status(app.post("/tokens", "{}", App.KEY, token))).isEqualTo("replayed");
    assertThat(app.post("/tokens", "{}", App.KEY, key).body()).contains("token-invalid");
  }

  @Test
  void a_handler_can_say_how_long_its_answer_is_kept() throws Exception {
    HttpResponse<String> first = post("/ttl");

    assertThat(header(first, "X-Idempotency-Policy")).isNull();
    time.advance(Duration.ofMinutes(4));
    assertThat(status(post("/ttl"))).isEqualTo("replayed");
    time.advance(Duration.ofMinutes(2));
    assertThat(post("/ttl").body()).isEqualTo("run 2");
  }

  @Test
  void of_a_thousand_requests_at_once_with_one_key_one_runs_and_none_gets_5xx() throws Exception {
    work.script = later.asMono();
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 1000)
            .mapToObj(i -> app.postLater("/optional", "{}", App.KEY, key))
            .toList();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> all.stream().filter(CompletableFuture::isDone).count() >= 100);
    later.tryEmitValue("done");

    int executed = 0;
    for (CompletableFuture<HttpResponse<String>> one : all) {
      HttpResponse<String> response = one.get(60, TimeUnit.SECONDS);
      if (response.statusCode() == 409) {
        assertThat(status(response)).isEqualTo("in-progress");
      } else {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("done");
        executed += "executed".equals(status(response)) ? 1 : 0;
      }
    }
    assertThat(executed).isEqualTo(1);
    assertThat(work.runs).hasValue(1);
  }
}
