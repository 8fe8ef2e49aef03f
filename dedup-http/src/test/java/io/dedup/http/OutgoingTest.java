// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.key.IdempotencyKey;
import io.dedup.time.ProcessClock;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Keys for what handlers send on. */
class OutgoingTest {

  private static final String KEY = "0123456789abcdef-0123";

  /** The keys that the other service saw, in order. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private final Handlers bankHandlers = new Handlers();
  private final Handlers handlers = new Handlers();
  private App bank;
  private App app;

  @BeforeEach
  void start() throws Exception {
    bankHandlers.script =
        (request, response, context) -> {
          seen.add(String.valueOf(request.getHeader(App.KEY)));
          return "transferred";
        };
    bank = process(bankHandlers);
    app = process(handlers);
  }

  private static App process(Handlers what) throws Exception {
    return App.on(InMemoryClaimStore.create())
        .bean(what)
        .requests(r -> r.onReplay("orders", done -> null))
        .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
    bank.close();
  }

  private OutgoingKeys toBank() {
    return OutgoingKeys.forHosts("127.0.0.1:" + bank.port());
  }

  private RestClient.Builder restClient() {
    return RestClient.builder()
        .requestFactory(new JdkClientHttpRequestFactory())
        .baseUrl("http://127.0.0.1:" + bank.port());
  }

  private String call(RestClient client, OutgoingCall call) {
    return client.post().uri("/plain").attributes(call.attributes()).retrieve().body(String.class);
  }

  @Test
  void a_call_has_the_same_key_each_time_its_handler_runs_and_it_is_not_the_clients()
      throws Exception {
    RestClient client =
        restClient().requestInterceptor(new OutgoingKeyInterceptor(toBank())).build();
    handlers.script =
        (request, response, context) -> {
          call(client, OutgoingCall.named("transfer"));
          call(client, OutgoingCall.named("notify"));
          call(client, OutgoingCall.named("transfer").withIndex(1));
          return ResponseEntity.status(500).build();
        };

    app.post("/optional", "{}", App.KEY, KEY);
    app.post("/optional", "{}", App.KEY, KEY);
    app.post("/optional", "{}", App.KEY, KEY + "-other");

    assertThat(handlers.runs).hasValue(3);
    assertThat(seen.subList(3, 6)).isEqualTo(seen.subList(0, 3));
    assertThat(seen.subList(6, 9)).doesNotContainAnyElementsOf(seen.subList(0, 3));
    assertThat(seen.subList(0, 3)).doesNotHaveDuplicates().doesNotContain(KEY);
    assertThat(seen).allMatch(key -> key.matches("[a-z2-7]{52}"));
  }

  @Test
  void nobody_gets_a_key_who_was_not_named_and_no_call_that_has_no_name() throws Exception {
    RestClient client =
        restClient()
            .requestInterceptor(new OutgoingKeyInterceptor(OutgoingKeys.forHosts("bank.example")))
            .build();
    RestClient unnamed =
        restClient().requestInterceptor(new OutgoingKeyInterceptor(toBank())).build();
    handlers.script =
        (request, response, context) -> {
          call(client, OutgoingCall.named("transfer"));
          return unnamed.post().uri("/plain").retrieve().body(String.class);
        };

    app.post("/optional", "{}", App.KEY, KEY);

    assertThat(seen).containsExactly("null", "null");
  }

  @Test
  void a_key_that_the_caller_set_is_left_as_it_is() throws Exception {
    RestClient client =
        restClient().requestInterceptor(new OutgoingKeyInterceptor(toBank())).build();
    handlers.script =
        (request, response, context) ->
            client
                .post()
                .uri("/plain")
                .header(App.KEY, "my-own")
                .attributes(OutgoingCall.named("transfer").attributes())
                .retrieve()
                .body(String.class);

    app.post("/optional", "{}", App.KEY, KEY);

    assertThat(seen).containsExactly("my-own");
  }

  @Test
  void a_request_without_a_claim_has_nothing_to_derive_a_key_from() throws Exception {
    RestClient client =
        restClient().requestInterceptor(new OutgoingKeyInterceptor(toBank())).build();
    handlers.script = (request, response, context) -> call(client, OutgoingCall.named("transfer"));

    app.post("/optional", "{}");

    assertThat(seen).containsExactly("null");
  }

  @Test
  void web_client_sends_the_key_that_rest_client_sends() throws Exception {
    RestClient rest = restClient().requestInterceptor(new OutgoingKeyInterceptor(toBank())).build();
    WebClient web =
        WebClient.builder()
            .clientConnector(new JdkClientHttpConnector())
            .baseUrl("http://127.0.0.1:" + bank.port())
            .filter(new OutgoingKeyFilter(toBank()))
            .build();
    handlers.script =
        (request, response, context) -> {
          call(rest, OutgoingCall.named("transfer"));
          return web.post()
              .uri("/plain")
              .attributes(OutgoingCall.named("transfer").under(context).attributes())
              .retrieve()
              .bodyToMono(String.class)
              .block(Duration.ofSeconds(30));
        };

    HttpResponse<String> response = app.post("/optional", "{}", App.KEY, KEY);

    assertThat(response.body()).isEqualTo("transferred");
    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).isEqualTo(seen.get(1)).matches("[a-z2-7]{52}");
  }

  @Test
  void a_record_gets_a_header_with_a_key_of_its_own_unless_it_has_one() {
    try (Deduplicator dedup = Deduplicator.builder(InMemoryClaimStore.create()).build()) {
      dedup.execute(IdempotencyKey.of("orders", "1"), context -> send(context));
    }
  }

  @Test
  void a_client_that_has_no_interceptor_of_ours_asks_for_the_key_itself() {
    OutgoingKeys keys = OutgoingKeys.forHosts("bank.example");
    URI bank = URI.create("https://bank.example/transfers");
    OutgoingCall call = OutgoingCall.named("Bank#transfer(Order)");
    assertThat(keys.keyFor(call, "POST", bank)).as("without a claim").isEmpty();
    try (Deduplicator dedup = Deduplicator.builder(InMemoryClaimStore.create()).build()) {
      dedup.execute(
          IdempotencyKey.of("orders", "1"),
          context -> {
            OutgoingCall ours = call.under(context);
            assertThat(keys.keyFor(ours, "POST", bank)).hasValue(ours.key());
            assertThat(keys.keyFor(ours, "GET", bank)).isEmpty();
            assertThat(keys.keyFor(ours, "POST", URI.create("https://other.example/"))).isEmpty();
            return null;
          });
    }
  }

  private static String send(DedupContext context) {
    ProducerRecord<String, String> record = new ProducerRecord<>("out", "value");
    OutgoingRecords.withKey(record, "event-id", context, "created", 0);
    String key =
        new String(record.headers().lastHeader("event-id").value(), StandardCharsets.UTF_8);
    OutgoingRecords.withKey(record, "event-id", context, "another", 0);

    assertThat(key).matches("[a-z2-7]{52}");
    assertThat(record.headers().toArray()).hasSize(1);
    assertThat(OutgoingCall.named("created").under(context).key()).isEqualTo(key);
    return key;
  }

  /** A clock whose sleeps only count. */
  private static final class CountedSleeps implements ProcessClock {
    private final List<Duration> sleeps = new CopyOnWriteArrayList<>();

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanoTime() {
      return sleeps.stream().mapToLong(Duration::toNanos).sum();
    }

    @Override
    public void sleep(Duration duration) {
      sleeps.add(duration);
    }
  }

  @Test
  void a_call_is_sent_again_with_the_same_key_after_5xx_and_retry_after_is_kept() throws Exception {
    CountedSleeps clock = new CountedSleeps();
    RestClient client =
        restClient()
            .requestInterceptor(new OutgoingKeyInterceptor(toBank()))
            .requestInterceptor(
                new OutgoingRetry(
                    toBank(), 4, Duration.ofMillis(500), Duration.ofMinutes(1), clock))
            .build();
    bankHandlers.script =
        (request, response, context) -> {
          seen.add(String.valueOf(request.getHeader(App.KEY)));
          return switch (bankHandlers.runs.get()) {
            case 1 -> ResponseEntity.status(503).header("Retry-After", "3").build();
            case 2 ->
                ResponseEntity.status(409).header("Idempotency-Status", "in-progress").build();
            default -> "transferred";
          };
        };
    handlers.script = (request, response, context) -> call(client, OutgoingCall.named("transfer"));

    assertThat(app.post("/optional", "{}", App.KEY, KEY).body()).isEqualTo("transferred");

    assertThat(seen).hasSize(3).containsOnly(seen.get(0));
    assertThat(clock.sleeps).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(1));
  }

  @Test
  void a_call_that_is_refused_for_good_or_too_late_is_not_sent_again() throws Exception {
    CountedSleeps clock = new CountedSleeps();
    RestClient client =
        restClient()
            .requestInterceptor(new OutgoingKeyInterceptor(toBank()))
            .requestInterceptor(
                new OutgoingRetry(
                    toBank(), 9, Duration.ofMillis(500), Duration.ofSeconds(2), clock))
            .defaultStatusHandler(status -> true, (request, response) -> {})
            .build();
    handlers.script = (request, response, context) -> call(client, OutgoingCall.named("transfer"));
    bankHandlers.script = (request, response, context) -> ResponseEntity.status(422).body("no");

    app.post("/optional", "{}", App.KEY, KEY);
    assertThat(bankHandlers.runs).hasValue(1);

    bankHandlers.script =
        (request, response, context) -> ResponseEntity.status(503).body("not now");
    app.post("/optional", "{}", App.KEY, KEY + "-other");
    // 0.5 s and 1 s of pauses are within 2 s, and 2 s more are not.
    assertThat(bankHandlers.runs).hasValue(4);
  }

  @Test
  void wrong_settings_are_refused() {
    assertThatThrownBy(() -> OutgoingKeys.forHosts("*")).hasMessageContaining("hosts: was [*]");
    assertThatThrownBy(() -> OutgoingKeys.forHosts()).hasMessageContaining("hosts: was []");
    assertThatThrownBy(() -> OutgoingCall.named(" ")).hasMessageContaining("call-name: was blank");
  }
}
